# limber_target(TARGET) - the flags that all of our own code is compiled with.
#
# Contraction stays off on every target, so that gcc and clang, every width and
# every machine give the same bits. errno is never read after a math function,
# and keeping it up to date would cost a branch at each square root.

set(limber_warnings -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wvla)
# a sanitizer's instrumentation makes gcc warn of what cannot be: no errors from there
if(LIMBER_WERROR AND NOT LIMBER_SANITIZE)
  list(APPEND limber_warnings -Werror)
endif()

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES AND PROJECT_IS_TOP_LEVEL)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo or MinSizeRel" FORCE)
endif()

# a project around us that chose no build type chose no speed either: ours is not given away
set(limber_speed "")
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES AND NOT CMAKE_C_FLAGS MATCHES "-O")
  set(limber_speed -O3)
endif()

set(limber_machine "")
if(LIMBER_PORTABLE)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    set(limber_machine -march=x86-64 -mtune=generic)
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
    set(limber_machine -march=armv8-a -mtune=generic)
  endif()
endif()

# gcc's vectorizer pairs a*b-c with d*e+f to one fused vfmaddsub though contraction is
# off, where the target machine has it (gcc 12, -O3 -march=native; measured)
set(limber_unfused "")
if(CMAKE_C_COMPILER_ID STREQUAL GNU)
  include(CheckCSourceCompiles)
  check_c_source_compiles("
    #ifndef __FMA__
    #error no fused instructions
    #endif
    int main(void) { return 0; }" LIMBER_MACHINE_FUSES)
  if(LIMBER_MACHINE_FUSES)
    set(limber_unfused -fno-tree-vectorize)
  endif()
endif()

# clang 14 loses a store when it gathers neighbouring numbers into WebAssembly vectors (found by
# bits_wasm32-simd: a point came out as its transform's translation); the kernel's vectors are its own
set(limber_gathered "")
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "wasm32")
  set(limber_gathered -fno-slp-vectorize)
endif()

set(limber_sanitize "")
if(LIMBER_SANITIZE)
  set(limber_sanitize -fsanitize=${LIMBER_SANITIZE} -fno-omit-frame-pointer
      -fno-sanitize-recover=all)
endif()

# a WebAssembly module is linked once and for all: there is nothing to interpose or to move
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "wasm32")
  set(limber_shared OFF)
else()
  set(limber_shared ON)
endif()

function(limber_target target)
  set_target_properties(${target} PROPERTIES
                        C_STANDARD 17 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF
                        LINKER_LANGUAGE C POSITION_INDEPENDENT_CODE ${limber_shared})
  # a section for each function: a program that uses little links little
  target_compile_options(${target} PRIVATE ${limber_speed} -ffp-contract=off -fno-math-errno
                         -ffunction-sections
                         $<$<BOOL:${limber_shared}>:-fno-semantic-interposition>
                         ${limber_unfused} ${limber_gathered} ${limber_machine} ${limber_warnings} ${limber_sanitize})
  target_link_options(${target} PRIVATE ${limber_sanitize})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
endfunction()

# limber_harden(TARGET) - what reads files and the command line checks its buffers and its stack
# while it runs, and its tables of addresses are read only. Not the kernel: it has neither.
function(limber_harden target)
  if(LIMBER_SANITIZE OR CMAKE_BUILD_TYPE STREQUAL "Debug" OR NOT CMAKE_SYSTEM_NAME STREQUAL "Linux")
    return()
  endif()
  target_compile_options(${target} PRIVATE -fstack-protector-strong -U_FORTIFY_SOURCE
                         -D_FORTIFY_SOURCE=3)
  get_target_property(kind ${target} TYPE)
  if(kind STREQUAL "EXECUTABLE")
    target_link_options(${target} PRIVATE -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
  endif()
endfunction()
