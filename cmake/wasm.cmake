# Toolchain: clang and Debian's wasi-libc, for the core as a WebAssembly module.
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
# Loops that are not unrolled save another 4 kB and cost nothing: 21.4 us against 21.5, side by side.
# Optimising again at link time would call for wasm-opt, which not every machine has
set(CMAKE_C_FLAGS_RELEASE "-Oz -DNDEBUG")
set(limber_kernel_speed -O2 -fno-unroll-loops)
# arms take the general way there, which gives the same bits: an instance for them is 15 kB
add_compile_definitions(LIMBER_SMALL)
set(CMAKE_EXE_LINKER_FLAGS_RELEASE "")
