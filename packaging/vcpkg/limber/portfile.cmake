# The port of the checkout that it lies in:
#
#     vcpkg install limber --overlay-ports=packaging/vcpkg
#
# A registry's copy fetches the release's archive instead of the next line.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS features
    FEATURES
        formats LIMBER_FORMATS
        figures LIMBER_FIGURES
)

vcpkg_cmake_configure(
    SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS
        ${features}
        -DLIMBER_PROGRAM=OFF
        -DLIMBER_TESTS=OFF
        -DLIMBER_EXAMPLES=OFF
        -DLIMBER_BENCH=OFF
        -DLIMBER_PYTHON=OFF
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/limber)
vcpkg_fixup_pkgconfig()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
