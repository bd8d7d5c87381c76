# cmake -D MODELS=folder -D OUTPUT=file.c -P embed_models.cmake
#
# Writes the table that src/formats/load.h declares: each model's text byte by
# byte (compilers limit the length of string literals), with the name, summary
# and source that it gives itself.

# one value of a model as the inside of a C string literal
function(c_string variable json key file)
  string(JSON value ERROR_VARIABLE missing GET "${json}" ${key})
  if(missing)
    message(FATAL_ERROR "${file}: the key \"${key}\" is missing")
  endif()
  string(REPLACE "\\" "\\\\" value "${value}")
  string(REPLACE "\"" "\\\"" value "${value}")
  set(${variable} "${value}" PARENT_SCOPE)
endfunction()

set(texts "")
set(rows "")
set(count 0)
file(GLOB files ${MODELS}/*.json)
list(SORT files)
foreach(file IN LISTS files)
  get_filename_component(stem ${file} NAME_WE)
  file(READ ${file} json)
  c_string(name "${json}" name ${file})
  c_string(summary "${json}" summary ${file})
  c_string(source "${json}" source ${file})
  if(NOT name STREQUAL stem)
    message(FATAL_ERROR "${file}: the model names itself \"${name}\"")
  endif()

  # sixteen bytes a line
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(................................)" "\\1\n    " bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(APPEND texts "static const unsigned char text_${count}[] = {\n    ${bytes}\n    0x00};\n\n")
  string(APPEND rows "    {\"${name}\", \"${summary}\",\n     \"${source}\",\n"
                     "     (const char *)text_${count}, sizeof text_${count} - 1},\n")
  math(EXPR count "${count} + 1")
endforeach()

file(WRITE ${OUTPUT}
     "/* Made from models/ by cmake/embed_models.cmake. */\n#include \"formats/load.h\"\n\n"
     "${texts}const lb_embedded embedded_models[] = {\n${rows}};\n\n"
     "const int embedded_model_count = ${count};\n")
