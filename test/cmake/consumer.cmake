# The project `consumer`: configured, built, tested, rebuilt after changes, installed, moved and run,
# and used by the project `user`.
include("${CMAKE_CURRENT_LIST_DIR}/steps.cmake")
file(REMOVE_RECURSE "${FOLDER}")
file(COPY "${CMAKE_CURRENT_LIST_DIR}/consumer" DESTINATION "${FOLDER}")
set(source "${FOLDER}/consumer")
set(build "${FOLDER}/build")
unset(ENV{LD_LIBRARY_PATH})

run(${CMAKE_COMMAND} -G "${GENERATOR}" -S "${source}" -B "${build}" -DBUILD_SHARED_LIBS=${SHARED}
  -Dcomet_ROOT=${COMET_PREFIX})
run(${CMAKE_COMMAND} --build "${build}" --parallel 2)
run(${CMAKE_CTEST_COMMAND} --test-dir "${build}" --output-on-failure)
expect("100% tests passed")
file(READ "${build}/emitted" emitted)
list(LENGTH emitted count)
if(NOT count EQUAL 9)
  message(FATAL_ERROR "expected the paths of three kinds of three sources, found `${emitted}`")
endif()
foreach(file IN LISTS emitted)
  if(NOT EXISTS "${file}")
    message(FATAL_ERROR "${file} is not written")
  endif()
endforeach()

# What depends on a file that is touched is built again, and nothing else.
run(${CMAKE_COMMAND} --build "${build}")
refuse("Compiling|Writing|Building|Linking")
execute_process(COMMAND ${CMAKE_COMMAND} -E sleep 1.1)
file(TOUCH "${source}/spgemm.sched")
run(${CMAKE_COMMAND} --build "${build}")
expect("Compiling the kernels of spgemm.ta")
# Its headers stay as they are, and so does what includes them.
refuse("kernels of (spmv|spmv.v2|sums|norm|scale).ta|Building|Linking[^\n]*norm")
execute_process(COMMAND ${CMAKE_COMMAND} -E sleep 1.1)
file(TOUCH "${source}/sums.ta")
run(${CMAKE_COMMAND} --build "${build}")
expect("Compiling the kernels of sums.ta")
refuse("kernels of (spmv|spmv.v2|spgemm|norm|scale).ta|Building|Linking[^\n]*norm")
execute_process(COMMAND ${CMAKE_COMMAND} -E sleep 1.1)
file(TOUCH "${source}/rows.sched")
run(${CMAKE_COMMAND} --build "${build}")
expect("Compiling the kernels of sums.ta")
refuse("kernels of (spmv|spmv.v2|spgemm|norm|scale).ta|Building|Linking[^\n]*norm")
# The folder of the headers is one of the system's, whose changes count nevertheless.
file(APPEND "${source}/sums.ta" "\
def twice(Tensor<double> x([i], Dense)) {
  x[i] = 2 * x[i];
}
")
run(${CMAKE_COMMAND} --build "${build}")
expect("Building CXX object [^\n]*main.cpp")

run(${CMAKE_COMMAND} --install "${build}" --prefix "${FOLDER}/installed")
file(RENAME "${FOLDER}/installed" "${FOLDER}/moved")
file(REMOVE_RECURSE "${build}")
run("${FOLDER}/moved/bin/app")
expect("size of")
run("${FOLDER}/moved/bin/app_c")
foreach(file include/consumer/spmv.hpp include/consumer/spmv.h include/sub/sums.hpp lib/cmake/consumer/consumer.cmake)
  if(NOT EXISTS "${FOLDER}/moved/${file}")
    message(FATAL_ERROR "${file} is not installed")
  endif()
endforeach()

run(${CMAKE_COMMAND} -G "${GENERATOR}" -S "${CMAKE_CURRENT_LIST_DIR}/user" -B "${FOLDER}/user"
  "-DFILES=${source}" -Dconsumer_ROOT=${FOLDER}/moved -Dcomet_ROOT=${COMET_PREFIX})
run(${CMAKE_COMMAND} --build "${FOLDER}/user")
run("${FOLDER}/user/app_c")
run(${CMAKE_COMMAND} --install "${FOLDER}/user" --prefix "${FOLDER}/user-installed")
file(RENAME "${FOLDER}/user-installed" "${FOLDER}/user-moved")
file(REMOVE_RECURSE "${FOLDER}/user")
run("${FOLDER}/user-moved/bin/app_c")
run("${FOLDER}/user-moved/bin/app")
