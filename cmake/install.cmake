# What `cmake --install` and `cpack` put where: the program with manual pages and completion, and the library with its
# headers and find_package(zermelo).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# The program's own parts are not for others.
get_property(library_modules GLOBAL PROPERTY ZERMELO_MODULES)
list(REMOVE_ITEM library_modules cli serve)

install(TARGETS zermelo RUNTIME COMPONENT program)
# Manual pages and completion are made from what the program says of itself.
find_package(Python3 COMPONENTS Interpreter QUIET)
if(Python3_FOUND)
  install(CODE "execute_process(COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/scripts/manual.py
    $<TARGET_FILE:zermelo> \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR} COMMAND_ERROR_IS_FATAL ANY)"
    COMPONENT program)
else()
  install(CODE "message(WARNING \"manual pages and completion need python3\")" COMPONENT program)
endif()

# Linking zermelo::zermelo links everything.
add_library(zermelo_library INTERFACE)
set_target_properties(zermelo_library PROPERTIES EXPORT_NAME zermelo)
target_link_libraries(zermelo_library INTERFACE app)
target_compile_features(zermelo_library INTERFACE cxx_std_20)
target_include_directories(zermelo_library INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/zermelo>)

set(library_folder ${CMAKE_INSTALL_LIBDIR}/zermelo)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/zermelo)
install(TARGETS zermelo_library ${library_modules} EXPORT zermelo ARCHIVE DESTINATION ${library_folder} COMPONENT library)
foreach(module ${library_modules})
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/src/${module} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/zermelo
    COMPONENT library FILES_MATCHING PATTERN *.h)
endforeach()
install(EXPORT zermelo NAMESPACE zermelo:: DESTINATION ${package_folder} FILE zermelo-targets.cmake COMPONENT library)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/zermelo-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_SOURCE_DIR}/cmake/zermelo-config.cmake ${CMAKE_BINARY_DIR}/zermelo-config-version.cmake
  DESTINATION ${package_folder} COMPONENT library)
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright COMPONENT program)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/games DESTINATION ${CMAKE_INSTALL_DATADIR}/zermelo COMPONENT program)

# `cpack` in the build folder makes one Debian package of both.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "the developers of Zermelo <zermelo@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "general game playing: solves, plays and simulates games from their rules")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION games)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Those who link the library need these, too.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libfmt-dev, nlohmann-json3-dev, libexpected-dev, libasmjit-dev, libzstd-dev, \
libgmp-dev, libcadical-dev, libboost-dev, libglpk-dev, libltdl-dev, zlib1g-dev")
include(CPack)
