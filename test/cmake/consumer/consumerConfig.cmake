include(CMakeFindDependencyMacro)
find_dependency(comet 0.2)
include("${CMAKE_CURRENT_LIST_DIR}/consumer.cmake")
