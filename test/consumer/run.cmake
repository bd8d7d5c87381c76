# run.cmake - builds and runs the consumer outside the tree, in one of three ways.
#
#     cmake -D WAY=package|pkg-config|subfolder -D BUILD=<limber's build> -D SOURCE=<limber>
#           -D WORK=<a folder to use up> -D COMPILER=<cc> -P run.cmake
#
# package and pkg-config use an installation made for the purpose; subfolder
# builds limber itself within the consumer's project, as shared libraries.

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT status EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "${command}\n${said}")
  endif()
  set(said ${said} PARENT_SCOPE)
endfunction()

# the consumer stands on its own, with its own copy of its sources
file(REMOVE_RECURSE ${WORK})
file(COPY ${CMAKE_CURRENT_LIST_DIR}/CMakeLists.txt ${CMAKE_CURRENT_LIST_DIR}/core.c
     ${CMAKE_CURRENT_LIST_DIR}/files.c ${CMAKE_CURRENT_LIST_DIR}/plus.cpp DESTINATION ${WORK})
set(made ${WORK}/build)

if(NOT WAY STREQUAL "subfolder")
  # moved after installing: nothing may remember where it was put first
  run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/first)
  file(RENAME ${WORK}/first ${WORK}/prefix)
endif()

if(WAY STREQUAL "package")
  run(${CMAKE_COMMAND} -S ${WORK} -B ${made} -DCMAKE_C_COMPILER=${COMPILER}
      -DCMAKE_PREFIX_PATH=${WORK}/prefix)
  run(${CMAKE_COMMAND} --build ${made})
elseif(WAY STREQUAL "subfolder")
  run(${CMAKE_COMMAND} -S ${WORK} -B ${made} -DCMAKE_C_COMPILER=${COMPILER}
      -DCMAKE_BUILD_TYPE=Debug -DBUILD_SHARED_LIBS=ON -DLIMBER_SUBFOLDER=${SOURCE})
  run(${CMAKE_COMMAND} --build ${made})

  # a project without a build type gets a fast limber all the same, one with flags its own
  foreach(pair "-O3::" "-O1:-O1")
    string(REGEX MATCH "^([^:]*):([^:]*)" pair ${pair})
    set(wanted ${CMAKE_MATCH_1})
    run(${CMAKE_COMMAND} -S ${WORK} -B ${WORK}/plain -DCMAKE_C_COMPILER=${COMPILER}
        -DCMAKE_BUILD_TYPE= -DCMAKE_C_FLAGS=${CMAKE_MATCH_2} -DLIMBER_SUBFOLDER=${SOURCE}
        -DCMAKE_EXPORT_COMPILE_COMMANDS=ON)
    file(STRINGS ${WORK}/plain/compile_commands.json commands REGEX "command.*src/ik/solver\\.c")
    string(REGEX MATCHALL " -O[0-9]" found "${commands}")
    if(NOT found STREQUAL " ${wanted}")
      message(FATAL_ERROR "without a build type limber is compiled with '${found}', not ${wanted}")
    endif()
  endforeach()
else()
  # a C99 compiler without a warning is enough to use the headers
  file(MAKE_DIRECTORY ${made})
  file(GLOB_RECURSE pc_files ${WORK}/prefix/*.pc)
  list(GET pc_files 0 pc_file)
  cmake_path(GET pc_file PARENT_PATH pc_dir)
  set(ENV{PKG_CONFIG_PATH} ${pc_dir})
  foreach(pair core:limber files:limber_io)
    string(REPLACE ":" ";" pair ${pair})
    list(GET pair 0 program)
    list(GET pair 1 module)
    run(pkg-config --cflags --libs ${module})
    string(REGEX MATCHALL "-I[^ ]+" folders "${said}")
    list(REMOVE_DUPLICATES folders)
    list(LENGTH folders count)
    if(NOT count EQUAL 1)
      message(FATAL_ERROR "${module}: strangers' headers are asked for, too: ${folders}")
    endif()
    separate_arguments(flags UNIX_COMMAND "${said}")
    run(${COMPILER} -std=c99 -Wall -Wextra -Wpedantic -Werror ${WORK}/${program}.c
        -o ${made}/${program} ${flags} -Wl,-rpath,${pc_dir}/..)
  endforeach()
  find_program(compiler_plus NAMES c++ g++ clang++)
  if(compiler_plus)
    run(${compiler_plus} -std=c++11 -Wall -Wextra -Wpedantic -Werror ${WORK}/plus.cpp
        -o ${made}/plus ${flags} -Wl,-rpath,${pc_dir}/..)
  endif()
endif()

file(GLOB plus ${made}/plus)
foreach(program core files ${plus})
  cmake_path(GET program FILENAME program)
  run(${made}/${program})
  message(STATUS "${program}: ${said}")
endforeach()

# the installed program stands by itself too
if(EXISTS ${WORK}/prefix/bin/limber)
  run(${WORK}/prefix/bin/limber models)
endif()
