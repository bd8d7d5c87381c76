# Toolchain: clang and Debian's wasi-libc, for the core as WebAssembly modules.
#
#   cmake --preset wasm        plain instructions
#   cmake --preset wasm-simd   with two doubles in a register
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

# clang looks for a sysroot's folders by these names
set(sysroot ${CMAKE_BINARY_DIR}/sysroot)
if(NOT EXISTS ${sysroot}/lib/wasm32-wasi)
  file(MAKE_DIRECTORY ${sysroot}/lib)
  file(CREATE_LINK /usr/include/wasm32-wasi ${sysroot}/include SYMBOLIC)
  file(CREATE_LINK /usr/lib/wasm32-wasi ${sysroot}/lib/wasm32-wasi SYMBOLIC)
endif()
set(CMAKE_SYSROOT ${sysroot})

# A page's module is fetched before it runs: small, but for the kernel, where the time is spent. With
# SIMD, gzipped, and a pose of the Panda from a random start in node on two cores with other work:
#
#     -Oz, the kernel -O2   253 kB   15 us
#     -Oz                   233 kB   20 us
#     -O2                   281 kB   14 us
#
# The kernel by -Os is 1.2 kB less than by -O2 in each module, and a pose takes 1.04 to 1.1 of the time.
# Loops that are not unrolled save another 4 kB and cost nothing: 21.4 us against 21.5, side by side.
# Nothing vectorized by the compiler, which finds nothing that lanes have not, saves 3.6 kB with SIMD and costs
# nothing (18.3 us against 18.5); relocations compressed by the linker save 3 kB in each module.
# Side by side the following save 15 kB and cost nothing either (Panda 20.8 us before and after): sines
# and arctangents out of line (7.5 kB; LANE_SHARED), one code for all forms of a joint's placement (1.6),
# forward kinematics in batches at the wider of two widths alone (4.5), and with SIMD the instructions that
# every engine with SIMD has: memory copies, conversions that saturate, signs extended (1.2). What small.inl
# leaves to width 1 is 6 kB more. The closed forms out of line would save 2.5 kB more, and make a UR5 in
# a batch 40 % slower.
# All but the kernel is optimised together when it is linked (-flto), where calls of constants become
# constants and what only one function needs goes into it; code that several call is copied no further than
# it was when compiled, hence the threshold, and equal functions are one. That saves 6 kB of the core and 9 kB
# of the module with clips, and retargeting takes 0.94 of the time. Addresses in loops are left as
# they are written (-disable-lsr), which WebAssembly's loads add up for nothing: 4 kB and 7 kB less, and as
# fast (a retargeting 13.8 ms with and without, Panda 21.8 us against 21.7). The kernel is left as it was compiled.
# What is linked is optimised once more by wasm-opt, where it is (bindings/flat). With -O at link time clang would
# call it by itself, without saying which instructions there are, and fail: hence the -O0
set(CMAKE_C_FLAGS_RELEASE "-Oz -DNDEBUG -flto")
set(limber_kernel_speed -O2 -fno-lto -fno-unroll-loops -fno-slp-vectorize -fno-vectorize)
# see widths.h and LANE_SHARED; arms take the general path, too: an instance for them is 15 kB
add_compile_definitions(LIMBER_SMALL)
set(link_time -inline-threshold=-50 -enable-merge-functions -disable-lsr)
list(TRANSFORM link_time PREPEND "-mllvm,")
list(JOIN link_time "," link_time)
set(CMAKE_EXE_LINKER_FLAGS_RELEASE "-O0 -Wl,--lto-O2,${link_time}")
