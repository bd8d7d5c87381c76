# Installing: libraries, headers, program, manual; and the two ways to find
# them, find_package(limber [COMPONENTS formats figures]) and
# pkg-config limber, limber_formats or limber_figures.

include(CMakePackageConfigHelpers)
set(limber_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/limber)

# from pkg-config's folder up to the prefix, wherever that is moved to
file(RELATIVE_PATH limber_prefix_from_pc
     /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)

# shared libraries carry the version and find each other, and the program them, wherever
# the prefix is moved to
set(limber_components "")
foreach(component limber formats figures)
  string(REGEX REPLACE "^([^l].*)$" "limber_\\1" target ${component})
  if(TARGET ${target})
    list(APPEND limber_components ${component})
    set_target_properties(${target} PROPERTIES VERSION ${PROJECT_VERSION}
                          SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
                          INSTALL_RPATH "$ORIGIN")
    install(TARGETS ${target} EXPORT ${target})
    install(EXPORT ${target} NAMESPACE limber:: DESTINATION ${limber_package_dir})
  endif()
endforeach()
if(TARGET limber_program)
  file(RELATIVE_PATH limber_libraries_from_program
       /prefix/${CMAKE_INSTALL_BINDIR} /prefix/${CMAKE_INSTALL_LIBDIR})
  foreach(program limber_program limber_mpi)
    if(TARGET ${program})
      set_target_properties(${program} PROPERTIES
                            INSTALL_RPATH "$ORIGIN/${limber_libraries_from_program}")
    endif()
  endforeach()
endif()

# where zsh looks; Debian's has vendor-completions for packages
set(LIMBER_ZSH_DIR share/zsh/site-functions CACHE STRING "Where zsh finds _limber, below the prefix")

# the core
install(DIRECTORY include/limber TYPE INCLUDE FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp"
        PATTERN formats EXCLUDE PATTERN figures EXCLUDE)
configure_file(cmake/limber.pc.in limber.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/limber.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# limber_component(NAME DESCRIPTION): headers and pkg-config file of a further component; a static
# archive hands on what it needs, to the linker alone: no header of ours names it
function(limber_component component limber_description)
  set(limber_name limber_${component})
  if(NOT TARGET ${limber_name})
    return()
  endif()
  install(DIRECTORY include/limber/${component} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/limber
          FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
  string(TOUPPER ${component} prefix)
  set(needs ${LIMBER_${prefix}_NEEDS_LDFLAGS})
  foreach(folder IN LISTS CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
    list(REMOVE_ITEM needs -L${folder})
  endforeach()
  list(JOIN needs " " needs)
  set(limber_libs "")
  set(limber_libs_private "")
  if(BUILD_SHARED_LIBS)
    set(limber_libs_private " ${needs}")
  else()
    set(limber_libs " ${needs}")
  endif()
  configure_file(cmake/limber_component.pc.in ${limber_name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${limber_name}.pc
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
limber_component(formats "File formats and built-in models for limber")
limber_component(figures "Figures of linkages for limber")

# the program, its manual pages and completion
foreach(program limber_program limber_mpi)
  if(TARGET ${program})
    install(TARGETS ${program})
  endif()
endforeach()
if(TARGET limber_program)
  if(limber_pages)
    install(DIRECTORY ${limber_pages}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
    install(DIRECTORY ${limber_pages}/bash/ DESTINATION share/bash-completion/completions)
    install(FILES cmake/_limber DESTINATION ${LIMBER_ZSH_DIR})
  endif()
  # the page, where it was built; limber view looks for it there
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/web/page/dist/ DESTINATION share/limber/page OPTIONAL)
endif()

# the package for find_package
configure_package_config_file(cmake/limberConfig.cmake.in limberConfig.cmake
                              INSTALL_DESTINATION ${limber_package_dir})
write_basic_package_version_file(limberConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/limberConfig.cmake ${PROJECT_BINARY_DIR}/limberConfigVersion.cmake
        DESTINATION ${limber_package_dir})
