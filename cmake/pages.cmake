# pages.cmake - what the program prints of itself: manual pages, completion for shells.
#
#     cmake -D PROGRAM=<limber, an emulator before it> -D OUT=<folder> -D MPI=<0|1> -P pages.cmake
#
# OUT/man1/limber.1 and a page for each command, with MPI one of limber-mpi; OUT/bash/limber, by the name under which bash
# looks for it.
cmake_minimum_required(VERSION 3.22)

# write(PATH ARGUMENTS...): a file of what the program prints
function(write path)
  execute_process(COMMAND ${PROGRAM} ${ARGN} OUTPUT_FILE ${OUT}/${path} RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " arguments)
    message(FATAL_ERROR "limber ${arguments}: exit status ${status}")
  endif()
endfunction()

file(REMOVE_RECURSE ${OUT})
file(MAKE_DIRECTORY ${OUT}/man1 ${OUT}/bash)
write(man1/limber.1 --manual)
# the commands are those that the page refers to
file(STRINGS ${OUT}/man1/limber.1 references REGEX "^\\.BR limber.*-[a-z]+ \\(1\\)")
foreach(reference IN LISTS references)
  string(REGEX REPLACE ".*-([a-z]+) .*" "\\1" name "${reference}")
  write(man1/limber-${name}.1 --manual ${name})
endforeach()
if(MPI)
  write(man1/limber-mpi.1 --manual mpi)
endif()
write(bash/limber --completion)
