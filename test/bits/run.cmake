# run.cmake - builds bits.c in one way and compares its fingerprint with this build's own.
#
#     cmake -D WAY=<name> -D EXPECTED=<bits of this build> -D MODELS=<models.c> -D WORK=<folder>
#           -P run.cmake
#
# Those of WebAssembly link the library that scripts/web builds for browsers. limber.c by clang is
# compared by test/amalgamation.sh.
#
# Says "skipped: ..." where a way's compiler or emulator is not there.
cmake_minimum_required(VERSION 3.22)

# each way: a compiler, its flags, and what runs the program where the machine does not. An emulated
# machine takes a minute for all models: it has a third of them
set(way_gcc-native gcc "-O3 -march=native" "")
set(way_aarch64 aarch64-linux-gnu-gcc "-O2 -static" qemu-aarch64)
set(way_wasm32 clang "-O3" node)
set(way_wasm32-simd clang "-O3 -msimd128 -mbulk-memory -mnontrapping-fptoint -msign-ext" node)

get_filename_component(root ${CMAKE_CURRENT_LIST_DIR}/../.. ABSOLUTE)
list(GET way_${WAY} 0 compiler)
list(GET way_${WAY} 1 flags)
list(GET way_${WAY} 2 runner)

set(tools ${compiler} ${runner})
if(WAY MATCHES "^wasm32")
  list(APPEND tools wasm-ld llvm-ar)
endif()
foreach(tool IN LISTS tools)
  find_program(found_${tool} ${tool})
  if(NOT found_${tool})
    message(STATUS "skipped: there is no ${tool}")
    return()
  endif()
endforeach()

set(step 1)
if(WAY STREQUAL "aarch64")
  set(step 3)
endif()
set(options -DCMAKE_BUILD_TYPE=None -DCMAKE_C_COMPILER=${compiler} "-DCMAKE_C_FLAGS=${flags}"
    -DMODELS=${MODELS})
if(WAY STREQUAL "aarch64")
  list(APPEND options -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64)
elseif(WAY MATCHES "^wasm32")
  file(GLOB runtime /usr/lib/llvm-*/lib/clang/*/lib/wasi/libclang_rt.builtins-wasm32.a)
  if(NOT runtime OR NOT EXISTS /usr/lib/wasm32-wasi/libc.a)
    message(STATUS "skipped: there is no wasi-libc or compiler-rt for wasm32")
    return()
  endif()
  string(REPLACE "wasm32" "wasm" preset ${WAY})
  list(APPEND options -DCMAKE_TOOLCHAIN_FILE=${root}/cmake/wasm.cmake
       -DLIBRARY=${root}/build-${preset}/liblimber.a)
  list(APPEND runner --no-warnings ${CMAKE_CURRENT_LIST_DIR}/wasi.mjs)
endif()

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE said
                  ERROR_VARIABLE complaint)
  if(NOT status EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "${command}\n${said}\n${complaint}")
  endif()
  set(said "${said}" PARENT_SCOPE)
endfunction()

if(WAY MATCHES "^wasm32")
  run(${root}/scripts/web modules)
endif()
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${WORK} ${options})
run(${CMAKE_COMMAND} --build ${WORK})
run(${EXPECTED} ${step})
set(expected "${said}")
run(${runner} ${WORK}/bits ${step})
if(NOT said STREQUAL expected OR said STREQUAL "")
  message(FATAL_ERROR "${WAY} gives\n${said}\nand this build\n${expected}")
endif()
