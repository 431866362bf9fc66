# The package `comet`: the program, the run time, and comet_add_library.
#
#   find_package(comet 0.2 CONFIG REQUIRED)
#   comet_add_library(kernels SOURCES spmv.ta)
#   target_link_libraries(app PRIVATE kernels)
#
# Targets:
#   comet::comet            the program
#   comet::headers          comet/comet.h and comet/comet.hpp
#   comet::runtime_static   the run time as an archive
#   comet::runtime_shared   the run time as a shared library
#   comet::runtime          one of the two: the shared one where BUILD_SHARED_LIBS is on. Libraries of
#                           comet_add_library that are SHARED take comet::runtime_shared in any case
#
# The folder may be moved: everything is found from where this file is.
cmake_minimum_required(VERSION 3.20)

get_filename_component(_comet_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

if(NOT TARGET comet::headers)
  add_executable(comet::comet IMPORTED)
  set_target_properties(comet::comet PROPERTIES IMPORTED_LOCATION "${_comet_prefix}/bin/comet")

  add_library(comet::headers INTERFACE IMPORTED)
  set_target_properties(comet::headers PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${_comet_prefix}/include;${_comet_prefix}/include/comet")

  string(REPLACE " " ";" _comet_libraries "@COMET_LIBRARIES@")
  add_library(comet::runtime_static STATIC IMPORTED)
  set_target_properties(comet::runtime_static PROPERTIES
    IMPORTED_LOCATION "${_comet_prefix}/lib/libcomet_runtime.a"
    IMPORTED_LINK_INTERFACE_LANGUAGES C
    INTERFACE_LINK_LIBRARIES "comet::headers;${_comet_libraries}")

  add_library(comet::runtime_shared SHARED IMPORTED)
  set_target_properties(comet::runtime_shared PROPERTIES
    IMPORTED_LOCATION "${_comet_prefix}/lib/libcomet_runtime.so.@COMET_SOVERSION@"
    IMPORTED_SONAME "libcomet_runtime.so.@COMET_SOVERSION@"
    INTERFACE_LINK_LIBRARIES comet::headers)

  add_library(comet::runtime INTERFACE IMPORTED)
  set_target_properties(comet::runtime PROPERTIES INTERFACE_LINK_LIBRARIES
    "$<IF:$<BOOL:${BUILD_SHARED_LIBS}>,comet::runtime_shared,comet::runtime_static>")
endif()

foreach(_comet_file bin/comet include/comet/comet.h lib/libcomet_runtime.a lib/libcomet_runtime.so.@COMET_SOVERSION@)
  if(NOT EXISTS "${_comet_prefix}/${_comet_file}")
    set(comet_FOUND FALSE)
    set(comet_NOT_FOUND_MESSAGE "${_comet_prefix}/${_comet_file} is missing: install comet again, all of it")
  endif()
endforeach()

include("${CMAKE_CURRENT_LIST_DIR}/CometAddLibrary.cmake")
