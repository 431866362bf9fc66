# Messages: of the compiler in the form that IDEs understand, and of the function.
include("${CMAKE_CURRENT_LIST_DIR}/steps.cmake")
file(REMOVE_RECURSE "${FOLDER}")
set(start "cmake_minimum_required(VERSION 3.20)\nproject(wrong LANGUAGES C)\nfind_package(comet 0.2 CONFIG REQUIRED)\n")

# try(<lines>): leaves the messages in `output`.
macro(try lines)
  file(REMOVE_RECURSE "${FOLDER}/build")
  file(WRITE "${FOLDER}/CMakeLists.txt" "${start}${lines}")
  execute_process(COMMAND ${CMAKE_COMMAND} -G Ninja -S "${FOLDER}" -B "${FOLDER}/build" -Dcomet_ROOT=${COMET_PREFIX}
    RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(code EQUAL 0)
    execute_process(COMMAND ${CMAKE_COMMAND} --build "${FOLDER}/build"
      RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  endif()
  if(code EQUAL 0)
    message(FATAL_ERROR "no error of: ${lines}")
  endif()
endmacro()

file(WRITE "${FOLDER}/wrong.ta" "def f(Tensor<double> x([i], Dense)) {\n  y[i] = x[i];\n}\n")
try("comet_add_library(wrong SOURCES wrong.ta)")
expect("${FOLDER}/wrong.ta:2:3: error: ")
try("comet_add_library(wrong)")
expect("comet_add_library\\(wrong\\): no sources")
try("comet_add_library(wrong STATIC SHARED SOURCES wrong.ta)")
expect("write one of STATIC, SHARED and OBJECT")
try("comet_add_library(wrong STATC SOURCES wrong.ta)")
expect("comet_add_library\\(wrong\\): unknown arguments: STATC")
try("comet_add_library(wrong SOURCES wrong.ta TUNE INPUT A=graph.mtx)")
expect("TUNE is not supported yet")
try("find_package(comet 0.1 CONFIG REQUIRED)")
expect("compatible.*requested version \"0.1\".*version: 0.2")
