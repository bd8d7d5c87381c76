# Installing: libraries, headers, program, manual; and the two ways to find
# them, find_package(limber [COMPONENTS io]) and pkg-config limber or limber_io.

include(CMakePackageConfigHelpers)
set(limber_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/limber)

# from pkg-config's folder up to the prefix, wherever that is moved to
file(RELATIVE_PATH limber_prefix_from_pc
     /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)

# shared libraries carry the version and find each other, and the program them, wherever
# the prefix is moved to
foreach(target limber limber_io)
  if(TARGET ${target})
    set_target_properties(${target} PROPERTIES VERSION ${PROJECT_VERSION}
                          SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
                          INSTALL_RPATH "$ORIGIN")
  endif()
endforeach()
if(TARGET limber_program)
  file(RELATIVE_PATH limber_libraries_from_program
       /prefix/${CMAKE_INSTALL_BINDIR} /prefix/${CMAKE_INSTALL_LIBDIR})
  set_target_properties(limber_program PROPERTIES
                        INSTALL_RPATH "$ORIGIN/${limber_libraries_from_program}")
endif()

# the core
install(TARGETS limber EXPORT limber_core)
install(EXPORT limber_core NAMESPACE limber:: DESTINATION ${limber_package_dir})
install(DIRECTORY include/limber TYPE INCLUDE FILES_MATCHING PATTERN "*.h" PATTERN formats EXCLUDE
        PATTERN figures EXCLUDE)
configure_file(cmake/limber.pc.in limber.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/limber.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# files and figures; a static archive hands on what it needs
if(TARGET limber_io)
  install(TARGETS limber_io EXPORT limber_io)
  install(EXPORT limber_io NAMESPACE limber:: DESTINATION ${limber_package_dir})
  install(DIRECTORY include/limber/formats include/limber/figures
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/limber
          FILES_MATCHING PATTERN "*.h")
  # what else it needs is for the linker alone: no header of ours names it
  set(limber_io_needs ${LIMBER_IO_NEEDS_LDFLAGS})
  foreach(folder IN LISTS CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
    list(REMOVE_ITEM limber_io_needs -L${folder})
  endforeach()
  list(JOIN limber_io_needs " " limber_io_needs)
  set(limber_io_libs "")
  set(limber_io_libs_private "")
  if(BUILD_SHARED_LIBS)
    set(limber_io_libs_private " ${limber_io_needs}")
  else()
    set(limber_io_libs " ${limber_io_needs}")
  endif()
  configure_file(cmake/limber_io.pc.in limber_io.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/limber_io.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()

# the program and its manual
if(TARGET limber_program)
  install(TARGETS limber_program)
  file(GLOB limber_manuals CONFIGURE_DEPENDS docs/*.1)
  install(FILES ${limber_manuals} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  # the page, where it was built; limber view looks for it there
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/web/page/dist/ DESTINATION share/limber/page OPTIONAL)
endif()

# the package for find_package
configure_package_config_file(cmake/limberConfig.cmake.in limberConfig.cmake
                              INSTALL_DESTINATION ${limber_package_dir})
write_basic_package_version_file(limberConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/limberConfig.cmake ${PROJECT_BINARY_DIR}/limberConfigVersion.cmake
        DESTINATION ${limber_package_dir})
