# find_package(zermelo) defines zermelo::zermelo: the headers and all libraries.
include(CMakeFindDependencyMacro)
find_dependency(fmt)
find_dependency(nlohmann_json)
find_dependency(tl-expected)
find_dependency(Threads)
find_dependency(Boost 1.74)

include(${CMAKE_CURRENT_LIST_DIR}/zermelo-targets.cmake)
