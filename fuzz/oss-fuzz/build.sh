#!/bin/bash -eu
# build.sh - builds every harness as OSS-Fuzz wants it: by $CC and $CFLAGS, linked with
# $LIB_FUZZING_ENGINE, into $OUT beside its seeds, its dictionary and the libraries it needs.
#
# The image needs the packages that `scripts/setup --list build` prints.
source=$(cd "$(dirname "$0")/../.." && pwd)
build=${WORK:-/tmp}/limber-fuzz
cmake -S "$source" -B "$build" -DCMAKE_BUILD_TYPE=None -DLIMBER_FUZZ=ON \
    -DLIMBER_FUZZ_ENGINE="$LIB_FUZZING_ENGINE" -DLIMBER_EXAMPLES=OFF \
    -DLIMBER_BENCH=OFF -DCMAKE_BUILD_RPATH='$ORIGIN/lib'
cmake --build "$build" -j "$(nproc)" --target fuzz

mkdir -p "$OUT/lib"
for harness in "$source"/fuzz/fuzz_*.c; do
    name=$(basename "$harness" .c)
    noun=${name#fuzz_}
    cp "$build/fuzz/$name" "$OUT/"
    (cd "$source/fuzz/seeds/$noun" && zip -q "$OUT/${name}_seed_corpus.zip" ./*)
    [ ! -f "$source/fuzz/$noun.dict" ] || cp "$source/fuzz/$noun.dict" "$OUT/$name.dict"
    # the machine that runs it has nothing but the C library
    ldd "$OUT/$name" | sed -n 's/.*=> \(\/[^ ]*\) .*/\1/p' |
        grep -vF "$OUT" | grep -vE '/(libc|libm|libpthread|librt|libdl|libgcc_s)\.so' | xargs -r cp -t "$OUT/lib" || true
done
