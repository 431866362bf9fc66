# The project `consumer`: configured, built, tested, rebuilt after changes, installed, moved and run.
include("${CMAKE_CURRENT_LIST_DIR}/steps.cmake")
file(REMOVE_RECURSE "${FOLDER}")
file(COPY "${CMAKE_CURRENT_LIST_DIR}/consumer" DESTINATION "${FOLDER}")
set(source "${FOLDER}/consumer")
set(build "${FOLDER}/build")

run(${CMAKE_COMMAND} -G "${GENERATOR}" -S "${source}" -B "${build}" -DBUILD_SHARED_LIBS=${SHARED}
  -Dcomet_ROOT=${COMET_PREFIX} -DCOMET_LIBRARY_FOLDER=${COMET_PREFIX}/lib)
run(${CMAKE_COMMAND} --build "${build}" --parallel 2)
run(${CMAKE_CTEST_COMMAND} --test-dir "${build}" --output-on-failure)
expect("100% tests passed")

# What depends on a file that is touched is built again, and nothing else.
run(${CMAKE_COMMAND} --build "${build}")
refuse("Compiling|Building|Linking")
execute_process(COMMAND ${CMAKE_COMMAND} -E sleep 1.1)
file(TOUCH "${source}/spgemm.sched")
run(${CMAKE_COMMAND} --build "${build}")
expect("Compiling the kernels of spgemm.ta")
# Its headers stay as they are, and so does what includes them.
refuse("kernels of (spmv|sums|norm|scale).ta|Building|Linking[^\n]*own")
execute_process(COMMAND ${CMAKE_COMMAND} -E sleep 1.1)
file(TOUCH "${source}/sums.ta")
run(${CMAKE_COMMAND} --build "${build}")
expect("Compiling the kernels of sums.ta")
refuse("kernels of (spmv|spgemm|norm|scale).ta|Building|Linking[^\n]*own")

run(${CMAKE_COMMAND} --install "${build}" --prefix "${FOLDER}/installed")
file(RENAME "${FOLDER}/installed" "${FOLDER}/moved")
file(REMOVE_RECURSE "${build}")
run("${FOLDER}/moved/bin/app")
expect("size of")
run("${FOLDER}/moved/bin/app_c")
foreach(file include/spmv.hpp include/spmv.h lib/cmake/consumer/consumer.cmake)
  if(NOT EXISTS "${FOLDER}/moved/${file}")
    message(FATAL_ERROR "${file} is not installed")
  endif()
endforeach()
