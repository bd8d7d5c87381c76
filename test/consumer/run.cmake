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
foreach(file CMakeLists.txt core.c files.c figures.c plus.cpp handles.cpp)
  file(COPY ${CMAKE_CURRENT_LIST_DIR}/${file} DESTINATION ${WORK})
endforeach()
set(made ${WORK}/build)
set(both -DCOMPONENTS=formats,figures)

if(NOT WAY STREQUAL "subfolder")
  # moved after installing: nothing may remember where it was put first
  run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/first)
  file(RENAME ${WORK}/first ${WORK}/prefix)
endif()

if(WAY STREQUAL "package")
  run(${CMAKE_COMMAND} -S ${WORK} -B ${made} -DCMAKE_C_COMPILER=${COMPILER}
      -DCMAKE_PREFIX_PATH=${WORK}/prefix ${both})
  run(${CMAKE_COMMAND} --build ${made})
elseif(WAY STREQUAL "subfolder")
  run(${CMAKE_COMMAND} -S ${WORK} -B ${made} -DCMAKE_C_COMPILER=${COMPILER}
      -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 -DBUILD_SHARED_LIBS=ON -DLIMBER_SUBFOLDER=${SOURCE}
      -DLIMBER_MAX_WIDTH=1 ${both})
  run(${CMAKE_COMMAND} --build ${made})

  # shared libraries export what their public headers declare, nothing else
  file(GLOB headers ${SOURCE}/include/limber/*.h)
  run(${SOURCE}/scripts/check-symbols exported ${made}/limber/liblimber.so ${headers})
  foreach(component formats figures)
    file(GLOB headers ${SOURCE}/include/limber/${component}/*.h)
    run(${SOURCE}/scripts/check-symbols exported ${made}/limber/liblimber_${component}.so ${headers})
  endforeach()

  # a project without a build type gets a fast limber all the same, one with flags its own
  foreach(pair "-O3::" "-O1:-O1")
    string(REGEX MATCH "^([^:]*):([^:]*)" pair ${pair})
    set(wanted ${CMAKE_MATCH_1})
    run(${CMAKE_COMMAND} -S ${WORK} -B ${WORK}/plain -DCMAKE_C_COMPILER=${COMPILER}
        -DCMAKE_BUILD_TYPE= -DCMAKE_C_FLAGS=${CMAKE_MATCH_2} -DLIMBER_SUBFOLDER=${SOURCE}
        -DCMAKE_EXPORT_COMPILE_COMMANDS=ON)
    # unless options say more it is the core alone, and installs nothing of its own
    file(STRINGS ${WORK}/plain/compile_commands.json further REGEX "src/(formats|figures|cli)/")
    file(STRINGS ${WORK}/plain/limber/cmake_install.cmake installed REGEX "^ *file\\(INSTALL")
    if(further OR installed)
      message(FATAL_ERROR "a subfolder builds or installs more than its options say:\n${further}${installed}")
    endif()
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
  foreach(pair core:limber figures:limber_figures files:limber_formats)
    string(REPLACE ":" ";" pair ${pair})
    list(GET pair 0 program)
    list(GET pair 1 module)
    run(pkg-config --cflags --libs ${module})
    if(said MATCHES "(^| )-[^IlLW]")
      message(FATAL_ERROR "${module}: compile flags reach its users: ${said}")
    endif()
    string(REGEX MATCHALL "-I[^ ]+" folders "${said}")
    list(REMOVE_DUPLICATES folders)
    list(LENGTH folders count)
    if(NOT count EQUAL 1)
      message(FATAL_ERROR "${module}: headers of other packages are needed, too: ${folders}")
    endif()
    separate_arguments(flags UNIX_COMMAND "${said}")
    run(${COMPILER} -std=c99 -Wall -Wextra -Wpedantic -Werror ${WORK}/${program}.c
        -o ${made}/${program} ${flags} -Wl,-rpath,${pc_dir}/..)
  endforeach()
  find_program(compiler_plus NAMES c++ g++ clang++)
  if(compiler_plus)
    run(pkg-config --cflags --libs limber_formats limber_figures)
    separate_arguments(flags UNIX_COMMAND "${said}")
    foreach(program plus handles)
      run(${compiler_plus} -std=c++11 -Wall -Wextra -Wpedantic -Werror ${WORK}/${program}.cpp
          -o ${made}/${program} ${flags} -Wl,-rpath,${pc_dir}/..)
    endforeach()
  endif()
endif()

file(GLOB plus ${made}/plus ${made}/handles)
foreach(program core files figures ${plus})
  cmake_path(GET program FILENAME program)
  execute_process(COMMAND ${made}/${program} WORKING_DIRECTORY ${made} RESULT_VARIABLE status
                  OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${program}: ${said}")
  endif()
  message(STATUS "${program}: ${said}")
endforeach()

# who reads files needs no drawing library, who draws no parser
find_program(readelf readelf)
if(readelf)
  foreach(pair files:cairo figures:xml2 figures:jansson core:xml2 core:cairo)
    string(REPLACE ":" ";" pair ${pair})
    list(GET pair 0 program)
    list(GET pair 1 library)
    file(GLOB shared ${made}/limber/liblimber_${program}.so)
    foreach(binary ${made}/${program} ${shared})
      run(${readelf} -d ${binary})
      if(said MATCHES "NEEDED[^\n]*lib${library}")
        message(FATAL_ERROR "${binary} needs ${library}")
      endif()
    endforeach()
  endforeach()
endif()

# the installed program stands by itself too
if(EXISTS ${WORK}/prefix/bin/limber)
  run(${WORK}/prefix/bin/limber models)
  # and starts without what only some commands use
  if(readelf)
    run(${readelf} -d ${WORK}/prefix/bin/limber)
    if(said MATCHES "NEEDED[^\n]*lib(cairo|microhttpd)")
      message(FATAL_ERROR "limber loads ${CMAKE_MATCH_1} at its start")
    endif()
  endif()
endif()
