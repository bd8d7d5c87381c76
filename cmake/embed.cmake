# The models in models/, as C text, for limber_formats: adding a model is adding one file.

set(embedded_models ${PROJECT_BINARY_DIR}/embedded_models.c)
file(GLOB model_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/models/*.json)
add_custom_command(
  OUTPUT ${embedded_models}
  COMMAND ${CMAKE_COMMAND} -D MODELS=${PROJECT_SOURCE_DIR}/models -D OUTPUT=${embedded_models}
          -P ${PROJECT_SOURCE_DIR}/cmake/embed_models.cmake
  DEPENDS ${model_files} ${PROJECT_SOURCE_DIR}/cmake/embed_models.cmake
  COMMENT "Embedding the models"
  VERBATIM)
