#!/bin/sh
# fuzz_lists.sh - every harness has its seeds, its count of runs and its row in fuzz/README.md, every
# dictionary and folder of seeds a harness; and what fuzz/oss-fuzz/build.sh puts together has all.
#
#     test/fuzz_lists.sh PROJECT
set -eu
project=$1
sample=$(mktemp -d)
trap 'rm -rf "$sample"' EXIT
failures=0

complain() {
    echo "$1"
    failures=$((failures + 1))
}

cd "$project/fuzz"
for harness in fuzz_*.c; do
    noun=${harness#fuzz_}
    noun=${noun%.c}
    [ -n "$(ls "seeds/$noun" 2>/dev/null)" ] || complain "fuzz/seeds/$noun: fuzz_$noun has no seeds"
    grep -q "^set(fuzz_runs_$noun [0-9]" CMakeLists.txt ||
        complain "fuzz/CMakeLists.txt: fuzz_$noun has no count of runs, fuzz_runs_$noun"
    grep -q "^|.*\`fuzz_$noun\`.*|.*|.*|" README.md || complain "fuzz/README.md: fuzz_$noun has no row"
done
for beside in seeds/* ./*.dict; do
    noun=$(basename "$beside" .dict)
    [ -e "fuzz_$noun.c" ] || complain "fuzz/${beside#./}: there is no fuzz_$noun.c"
done
sed -n 's/^set(fuzz_runs_\([a-z_]*\) .*/\1/p' CMakeLists.txt | while read -r noun; do
    [ -e "fuzz_$noun.c" ] || echo "$noun"
done >"$sample/without"
[ ! -s "$sample/without" ] || complain "fuzz/CMakeLists.txt: runs of no harness: $(cat "$sample/without")"

# build.sh without a compiler: cmake makes empty harnesses, which need no library
mkdir "$sample/bin" "$sample/out"
cat >"$sample/bin/cmake" <<EOF
#!/bin/sh
mkdir -p "$sample/limber-fuzz/fuzz"
for harness in "$project"/fuzz/fuzz_*.c; do
    : >"$sample/limber-fuzz/fuzz/\$(basename "\$harness" .c)"
done
EOF
printf '#!/bin/sh\n' >"$sample/bin/ldd"
# shellcheck disable=SC2016 # of that script
printf '#!/bin/sh\n: >"$2"\n' >"$sample/bin/zip"
chmod +x "$sample"/bin/*
PATH=$sample/bin:$PATH WORK=$sample OUT=$sample/out LIB_FUZZING_ENGINE=none bash oss-fuzz/build.sh \
    >/dev/null
for harness in fuzz_*.c; do
    name=${harness%.c}
    for part in "$name" "${name}_seed_corpus.zip"; do
        [ -e "$sample/out/$part" ] || complain "fuzz/oss-fuzz/build.sh: leaves $part out"
    done
    [ ! -e "${name#fuzz_}.dict" ] || [ -e "$sample/out/$name.dict" ] ||
        complain "fuzz/oss-fuzz/build.sh: leaves $name.dict out"
done
exit $failures
