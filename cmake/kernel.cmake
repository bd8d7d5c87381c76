# The kernel's widths: which files are compiled, and with which instructions.
#
# src/kernel/instances/kernel_w<N>.c holds N doubles in a lane vector, src/kernel/instances/kernel_f<N>.c
# N floats, and src/kernel/instances/kernel_s<N>.c one problem on a machine whose registers hold N
# doubles. What a file needs follows from the bits of its vector and from the machine:
#
#   bits   x86-64                                   elsewhere
#   <=128  SSE2, the baseline                       NEON, WebAssembly SIMD: the baseline
#   256    AVX2; no FMA, contraction being off      not compiled
#   512    AVX-512 F, DQ, VL                        not compiled
#
# Only these files may hold such instructions: the program picks a width at run
# time. A width without a source, or not in LIMBER_WIDTHS, is left out, but for the least
# of each kind, W1 and F4; so is S<N> without W4, whose sines it uses. For each
# that is compiled the library sees LIMBER_HAVE_W<N>, LIMBER_HAVE_F<N> or LIMBER_HAVE_S<N>.

set(limber_kernel_flags_256 -mavx2)
# AVX-512 brings FMA along, which gcc's vectorizer would use whatever the contraction
# (see compile.cmake); the kernel's vectors are written out and lose nothing without it
set(limber_kernel_flags_512 -mavx512f -mavx512dq -mavx512vl -fno-tree-vectorize)
# lanes are 3-5 % faster when tuned for Intel's first servers with AVX-512 than for any machine, on AMD's
# too; what is done for one problem alone is slower
set(limber_kernel_tuning -mtune=icelake-server)

# what gcc finds out ahead of where it is needed has to be kept in registers, of which the kernel's
# long straight pieces have none to spare: 9 % slower with it
set(limber_kernel_straight "")
if(CMAKE_C_COMPILER_ID STREQUAL GNU)
  set(limber_kernel_straight -fno-tree-pre)
endif()

# limber_kernel_width(FILE OUT): the file's letter and width as "W4", "" for any other file
function(limber_kernel_width file out)
  set(${out} "" PARENT_SCOPE)
  if(file MATCHES "/kernel_([wfs][0-9]+)\\.c$")
    string(TOUPPER ${CMAKE_MATCH_1} name)
    set(${out} ${name} PARENT_SCOPE)
  endif()
endfunction()

# limber_kernel_sources(LIST): sets the flags of the width files in LIST, drops those left out
function(limber_kernel_sources list)
  set(kept "")
  set(names "")
  foreach(file IN LISTS ${list})
    limber_kernel_width(${file} name)
    if(NOT name)
      list(APPEND kept ${file})
      continue()
    endif()

    # the bits of the vector choose the flags
    string(SUBSTRING ${name} 1 -1 width)
    if(name MATCHES "^F")
      math(EXPR bits "32 * ${width}")
    else()
      math(EXPR bits "64 * ${width}")
    endif()
    if(NOT width IN_LIST LIMBER_WIDTHS AND NOT name MATCHES "^(W1|F4)$")
      continue()
    endif()
    if(name MATCHES "^S" AND NOT 4 IN_LIST LIMBER_WIDTHS)
      continue()
    endif()
    if(bits GREATER 128)
      if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$"
         OR NOT DEFINED limber_kernel_flags_${bits})
        continue()
      endif()
      set_source_files_properties(${file} PROPERTIES COMPILE_OPTIONS
                                  "${limber_kernel_flags_${bits}};-Wno-psabi")
      if(NOT name MATCHES "^S")
        set_property(SOURCE ${file} APPEND PROPERTY COMPILE_OPTIONS ${limber_kernel_tuning})
      endif()
    endif()
    set_property(SOURCE ${file} APPEND PROPERTY COMPILE_OPTIONS ${limber_kernel_speed}
                 ${limber_kernel_straight})
    list(APPEND kept ${file})
    list(APPEND names ${name})
  endforeach()
  set(${list} ${kept} PARENT_SCOPE)
  set(limber_kernel_names ${names} PARENT_SCOPE)
endfunction()

# limber_kernel_definitions(TARGET): defines which widths the library has
function(limber_kernel_definitions target)
  foreach(name IN LISTS limber_kernel_names)
    target_compile_definitions(${target} PRIVATE LIMBER_HAVE_${name}=1)
  endforeach()
endfunction()
