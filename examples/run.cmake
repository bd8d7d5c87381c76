# run.cmake - runs an example and compares what it prints with what its head says.
#
#     cmake -D PROGRAM=<program> -D SOURCE=<its source> -P run.cmake
#
# "..." in the head matches whatever is printed there.
cmake_minimum_required(VERSION 3.22)

# the lines between "Prints:" and the end of the comment, less their " *     "
file(READ ${SOURCE} text)
if(NOT text MATCHES "\n \\* Prints:\n(( \\*[^\n/]*[^\n]*\n)+) \\*/")
  message(FATAL_ERROR "${SOURCE}: its head does not end with what it prints")
endif()
set(expected ${CMAKE_MATCH_1})
string(REGEX REPLACE "(^|\n) \\*(     ?)?" "\\1" expected "${expected}")

execute_process(COMMAND ${PROGRAM} RESULT_VARIABLE status OUTPUT_VARIABLE said)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${PROGRAM}: exit status ${status}\n${said}")
endif()

# what is between the "..." must come in this order, from the beginning to the end
set(rest "${said}")
set(wanted "${expected}...")
set(anchored TRUE)
while(NOT wanted STREQUAL "")
  string(FIND "${wanted}" "..." length)
  string(SUBSTRING "${wanted}" 0 ${length} piece)
  math(EXPR after "${length} + 3")
  string(SUBSTRING "${wanted}" ${after} -1 wanted)
  if(wanted STREQUAL "")
    # the last piece is looked for at the end
    string(FIND "${rest}" "${piece}" at REVERSE)
  else()
    string(FIND "${rest}" "${piece}" at)
  endif()
  if(at EQUAL -1 OR (anchored AND NOT at EQUAL 0))
    message(FATAL_ERROR "${PROGRAM} prints\n${said}\nbut its head says\n${expected}")
  endif()
  string(LENGTH "${piece}" length)
  math(EXPR at "${at} + ${length}")
  string(SUBSTRING "${rest}" ${at} -1 rest)
  set(anchored FALSE)
endwhile()
if(NOT rest STREQUAL "")
  message(FATAL_ERROR "${PROGRAM} prints\n${said}\nbut its head says\n${expected}")
endif()
