# comet_add_library: kernels of .ta files as a library of CMake.
#
#   comet_add_library(<target> [STATIC|SHARED|OBJECT] SOURCES <file.ta>…
#     [NAMESPACE <name>]           of the C++ headers; the target's name where it is left out
#     [SCHEDULE <file>…]           one for all sources, or for each source one of its name
#     [TARGET_CPUS <name>…]        native, x86-64-v3, …; several are chosen from when the library runs
#     [OPTIONS <flag>…]            flags of `comet build`
#     [DEPENDS <file|target>…]     what else the kernels are built after
#     [EMIT <kind>…]               more kinds of output, of the first processor: asm cin svg …
#     [OUTPUT_VARIABLE <name>]     a variable for the paths of these
#     [RUNTIME <target>|OWN])      comet::runtime; OWN links the static run time into the library
#
# The target has the folder of the headers of its sources (spmv.h and spmv.hpp for spmv.ta) among its include
# directories, and links with the run time. Without STATIC, SHARED and OBJECT, BUILD_SHARED_LIBS decides. Without
# TARGET_CPUS, libraries for x86-64 have code for x86-64-v2, -v3 and -v4, of which the processor's is taken.

function(comet_add_library target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "STATIC;SHARED;OBJECT" "NAMESPACE;OUTPUT_VARIABLE;RUNTIME"
    "SOURCES;SCHEDULE;TARGET_CPUS;OPTIONS;DEPENDS;EMIT;TUNE")
  _comet_check_arguments()
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/comet/${target}")
  file(MAKE_DIRECTORY "${folder}")
  _comet_processors(processors)
  if(NOT arg_NAMESPACE)
    string(MAKE_C_IDENTIFIER "${target}" arg_NAMESPACE)
  endif()

  set(objects)
  set(headers)
  set(emitted)
  foreach(source IN LISTS arg_SOURCES)
    _comet_add_source("${source}")
  endforeach()

  _comet_library("${target}")
  if(arg_OUTPUT_VARIABLE)
    set(${arg_OUTPUT_VARIABLE} "${emitted}" PARENT_SCOPE)
  endif()
endfunction()

macro(_comet_check_arguments)
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "comet_add_library(${target}): unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_SOURCES)
    message(FATAL_ERROR "comet_add_library(${target}): no sources; write SOURCES and the .ta files")
  endif()
  if(DEFINED arg_TUNE)
    message(FATAL_ERROR
      "comet_add_library(${target}): TUNE is not supported yet; run `comet tune` and name its output by SCHEDULE")
  endif()
  set(kinds ${arg_STATIC} ${arg_SHARED} ${arg_OBJECT})
  list(FILTER kinds INCLUDE REGEX TRUE)
  list(LENGTH kinds count)
  if(count GREATER 1)
    message(FATAL_ERROR "comet_add_library(${target}): write one of STATIC, SHARED and OBJECT")
  endif()
endmacro()

# The value of --target-cpu.
function(_comet_processors variable)
  set(processors "${arg_TARGET_CPUS}")
  if(NOT processors)
    set(processors native)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
      set(processors x86-64-v2 x86-64-v3 x86-64-v4)
    endif()
  endif()
  list(JOIN processors "," processors)
  set(${variable} "${processors}" PARENT_SCOPE)
endfunction()

# Adds the commands for a source; extends `objects`, `headers` and `emitted`.
macro(_comet_add_source source)
  get_filename_component(path "${source}" ABSOLUTE)
  get_filename_component(name "${source}" NAME_WE)
  if("${folder}/${name}.o" IN_LIST objects)
    message(FATAL_ERROR "comet_add_library(${target}): two sources are called `${name}.ta`; give one another name")
  endif()
  _comet_schedule(schedule "${name}")
  set(flags)
  if(schedule)
    set(flags "--schedule=${schedule}")
  endif()
  set(outputs "${folder}/${name}.o" "${folder}/${name}.h" "${folder}/${name}.hpp")
  add_custom_command(OUTPUT ${outputs}
    COMMAND comet::comet build "${path}" --emit=obj,header,cxx-header -o "${folder}/" "--target-cpu=${processors}"
      "--namespace=${arg_NAMESPACE}" "--depfile=${folder}/${name}.d" --message-format=short ${flags} ${arg_OPTIONS}
    DEPENDS "${path}" ${schedule} comet::comet ${arg_DEPENDS}
    DEPFILE "${folder}/${name}.d"
    COMMENT "Compiling the kernels of ${name}.ta"
    VERBATIM)
  list(APPEND objects "${folder}/${name}.o")
  list(APPEND headers "${folder}/${name}.h" "${folder}/${name}.hpp")
  foreach(kind IN LISTS arg_EMIT)
    _comet_emit("${kind}")
  endforeach()
endmacro()

# The schedule of a source: the file of its name, or the only one where that has the name of no source.
function(_comet_schedule variable name)
  set(found)
  set(names)
  foreach(file IN LISTS arg_SOURCES)
    get_filename_component(stem "${file}" NAME_WE)
    list(APPEND names "${stem}")
  endforeach()
  list(LENGTH arg_SCHEDULE count)
  foreach(file IN LISTS arg_SCHEDULE)
    get_filename_component(stem "${file}" NAME_WE)
    if(stem STREQUAL name OR (count EQUAL 1 AND NOT stem IN_LIST names))
      get_filename_component(found "${file}" ABSOLUTE)
    endif()
  endforeach()
  set(${variable} "${found}" PARENT_SCOPE)
endfunction()

# Adds a command for another kind of output.
macro(_comet_emit kind)
  string(REGEX REPLACE ",.*" "" processor "${processors}")
  set(output "${folder}/${name}.${kind}")
  add_custom_command(OUTPUT "${output}"
    COMMAND comet::comet build "${path}" "--emit=${kind}" -o "${output}" "--target-cpu=${processor}"
      --message-format=short ${flags} ${arg_OPTIONS}
    DEPENDS "${path}" ${schedule} comet::comet ${arg_DEPENDS}
    COMMENT "Writing ${kind} of ${name}.ta"
    VERBATIM)
  list(APPEND emitted "${output}")
endmacro()

# The library of the objects.
macro(_comet_library target)
  set_source_files_properties(${objects} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
  if(arg_OBJECT)
    # Objects that another tool has made are no sources of an OBJECT library.
    add_library(${target} INTERFACE)
    target_sources(${target} INTERFACE ${objects})
    add_custom_target(${target}-objects DEPENDS ${objects} ${headers} ${emitted})
    add_dependencies(${target} ${target}-objects)
    set(scope INTERFACE)
  else()
    set(kind)
    if(arg_STATIC)
      set(kind STATIC)
    elseif(arg_SHARED)
      set(kind SHARED)
    endif()
    add_library(${target} ${kind} ${objects} ${headers} ${emitted})
    set_target_properties(${target} PROPERTIES PUBLIC_HEADER "${headers}")
    get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
    if(CXX IN_LIST languages)
      set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
    else()
      set_target_properties(${target} PROPERTIES LINKER_LANGUAGE C)
    endif()
    set(scope PUBLIC)
  endif()
  target_include_directories(${target} ${scope} "$<BUILD_INTERFACE:${folder}>" "$<INSTALL_INTERFACE:include>")
  _comet_link_runtime("${target}")
endmacro()

macro(_comet_link_runtime target)
  target_link_libraries(${target} ${scope} comet::headers)
  get_target_property(type ${target} TYPE)
  if(NOT arg_RUNTIME)
    target_link_libraries(${target} ${scope} comet::runtime)
  elseif(NOT arg_RUNTIME STREQUAL "OWN")
    target_link_libraries(${target} ${scope} ${arg_RUNTIME})
  elseif(type STREQUAL "SHARED_LIBRARY")
    # The run time is nobody's but this library's, and its threads outlive `dlclose`.
    target_link_libraries(${target} PRIVATE comet::runtime_static)
    target_link_options(${target} PRIVATE "LINKER:--exclude-libs,ALL" "LINKER:-z,nodelete")
  else()
    target_link_libraries(${target} ${scope} comet::runtime_static)
  endif()
endmacro()
