# comet_add_library: kernels of .ta files as a library of CMake.
#
#   comet_add_library(<target> [STATIC|SHARED|OBJECT] SOURCES <file.ta>…
#     [NAMESPACE <name>]           of the C++ headers; `kernels` where it is left out
#     [SCHEDULE <file>…]           one for all sources, or for each source one of its name
#     [TUNE INPUT <parameter>=<file>… [EXTENT <label>=<n>…] [CANDIDATES <n>] [ROUNDS <n>] [THREADS <n>]]
#     [TARGET_CPUS <name>…]        native, x86-64-v3, …; several are chosen from when the library runs
#     [OPTIONS <flag>…]            flags of `comet build`
#     [DEPENDS <file|target>…]     what else the kernels are built after
#     [EMIT <kind>…]               more kinds of output, of the first processor: asm cin svg …
#     [OUTPUT_VARIABLE <name>]     a variable for the paths of these
#     [RUNTIME <target>|OWN])      comet::runtime; OWN links the static run time into the library
#
# The target has the folder of the headers of its sources among its include directories: spmv.h for spmv.ta, and
# spmv.hpp where the project has C++. Without STATIC, SHARED and OBJECT, BUILD_SHARED_LIBS decides. Without
# TARGET_CPUS, libraries for x86-64 have code for x86-64-v2, -v3 and -v4, of which the processor's is taken.
# What EMIT writes is built by the target <target>-emitted, which is part of `all`.
#
# The target links with the run time: a shared library with comet::runtime_shared, and any other with
# comet::runtime. In a cross build for AArch64, whose run time the package does not have, RUNTIME names it.
# A shared library finds it by itself: its own folder and that of the run time end its INSTALL_RPATH.
#
# With TUNE, the target <target>-tune measures the kernels of each source on the inputs (`comet tune`), and
# writes the schedule that is the fastest into its file in SCHEDULE, or beside the source: spmv.sched for
# spmv.ta. The library uses that file from then on. EXTENT states extents that no input has.

function(comet_add_library target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "STATIC;SHARED;OBJECT" "NAMESPACE;OUTPUT_VARIABLE;RUNTIME"
    "SOURCES;SCHEDULE;TARGET_CPUS;OPTIONS;DEPENDS;EMIT;TUNE")
  _comet_check_arguments()
  _comet_check_sources()
  _comet_parse_tune()
  _comet_check_schedules()
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/comet/${target}")
  file(MAKE_DIRECTORY "${folder}")
  _comet_target_triple(triple_flag)
  _comet_processors(processors)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)

  set(objects)
  set(headers)
  set(emitted)
  foreach(source IN LISTS arg_SOURCES)
    _comet_add_source("${source}")
  endforeach()

  _comet_library("${target}")
  if(tune_commands)
    add_custom_target(${target}-tune ${tune_commands}
      DEPENDS ${arg_SOURCES} comet::comet ${arg_DEPENDS}
      WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}"
      COMMENT "Measuring schedules of ${target}"
      USES_TERMINAL
      VERBATIM)
  endif()
  if(emitted)
    add_custom_target(${target}-emitted ALL DEPENDS ${emitted})
  endif()
  if(arg_OUTPUT_VARIABLE)
    set(${arg_OUTPUT_VARIABLE} "${emitted}" PARENT_SCOPE)
  endif()
endfunction()

macro(_comet_check_arguments)
  set(keywords "the keywords are STATIC, SHARED, OBJECT, SOURCES, NAMESPACE, SCHEDULE, TUNE, TARGET_CPUS, OPTIONS, "
    "DEPENDS, EMIT, OUTPUT_VARIABLE and RUNTIME")
  list(JOIN keywords "" keywords)
  if(arg_UNPARSED_ARGUMENTS)
    list(JOIN arg_UNPARSED_ARGUMENTS " " unknown)
    message(FATAL_ERROR "comet_add_library(${target}): unknown arguments: ${unknown}; ${keywords}")
  endif()
  if(NOT arg_SOURCES)
    message(FATAL_ERROR "comet_add_library(${target}): no sources; write SOURCES and the .ta files")
  endif()
  if("TUNE" IN_LIST arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR
      "comet_add_library(${target}): TUNE without inputs; write TUNE INPUT and <parameter>=<file> for each")
  endif()
  set(kinds ${arg_STATIC} ${arg_SHARED} ${arg_OBJECT})
  list(FILTER kinds INCLUDE REGEX TRUE)
  list(LENGTH kinds count)
  if(count GREATER 1)
    message(FATAL_ERROR "comet_add_library(${target}): write one of STATIC, SHARED and OBJECT")
  endif()
  foreach(kind IN LISTS arg_EMIT)
    if(NOT kind MATCHES "^[a-z-]+$")
      message(FATAL_ERROR "comet_add_library(${target}): EMIT takes kinds such as `asm cin`, with spaces between them, "
        "found `${kind}`")
    endif()
  endforeach()
endmacro()

macro(_comet_check_sources)
  set(names)
  foreach(source IN LISTS arg_SOURCES)
    if(NOT source MATCHES "\\.ta$")
      message(FATAL_ERROR "comet_add_library(${target}): `${source}` is no .ta file; ${keywords}")
    endif()
    _comet_check_exists("${source}")
    get_filename_component(name "${source}" NAME_WLE)
    if(name IN_LIST names)
      message(FATAL_ERROR "comet_add_library(${target}): two sources are called `${name}.ta`; give one another name")
    endif()
    list(APPEND names "${name}")
  endforeach()
endmacro()

# Each file of SCHEDULE is for a source, or for all of them. TUNE writes those that do not exist.
macro(_comet_check_schedules)
  list(LENGTH arg_SCHEDULE count)
  list(JOIN names ".ta, " sources)
  set(stems)
  foreach(file IN LISTS arg_SCHEDULE)
    get_filename_component(stem "${file}" NAME_WLE)
    if(count GREATER 1 AND NOT stem IN_LIST names)
      message(FATAL_ERROR "comet_add_library(${target}): `${file}` of SCHEDULE has the name of no source; the sources "
        "are ${sources}.ta. Only a schedule that is alone may be for all of them")
    endif()
    if(stem IN_LIST stems)
      message(FATAL_ERROR "comet_add_library(${target}): two files of SCHEDULE are called `${stem}`")
    endif()
    list(APPEND stems "${stem}")
    if(NOT DEFINED arg_TUNE)
      _comet_check_exists("${file}")
    endif()
  endforeach()
endmacro()

# Ends where a file neither exists nor is made by the build.
function(_comet_check_exists file)
  get_filename_component(path "${file}" ABSOLUTE)
  get_source_file_property(generated "${path}" GENERATED)
  if(NOT EXISTS "${path}" AND NOT generated)
    message(FATAL_ERROR "comet_add_library(${target}): `${path}` does not exist, and nothing before this call makes it; a "
      "file that is made elsewhere needs the property GENERATED")
  endif()
endfunction()

# Sets `tune_flags`, the flags of `comet tune`, where there is TUNE, and `tuned`, a file that is newer than the
# last configuration when schedules have been written since: the build then configures again.
macro(_comet_parse_tune)
  set(tune_commands)
  set(tune_flags)
  if(DEFINED arg_TUNE)
    cmake_parse_arguments(tune "" "CANDIDATES;ROUNDS;THREADS" "INPUT;EXTENT" ${arg_TUNE})
    if(tune_UNPARSED_ARGUMENTS)
      message(FATAL_ERROR "comet_add_library(${target}): unknown arguments after TUNE: ${tune_UNPARSED_ARGUMENTS}; "
        "it takes INPUT, EXTENT, CANDIDATES, ROUNDS and THREADS")
    endif()
    foreach(input IN LISTS tune_INPUT)
      if(NOT input MATCHES "^([^=]+)=(.+)$")
        message(FATAL_ERROR "comet_add_library(${target}): TUNE INPUT is <parameter>=<file>, found `${input}`")
      endif()
      get_filename_component(path "${CMAKE_MATCH_2}" ABSOLUTE)
      list(APPEND tune_flags "--input=${CMAKE_MATCH_1}=${path}")
    endforeach()
    foreach(extent IN LISTS tune_EXTENT)
      list(APPEND tune_flags "--extent=${extent}")
    endforeach()
    foreach(flag CANDIDATES ROUNDS THREADS)
      if(DEFINED tune_${flag})
        string(TOLOWER "--${flag}=${tune_${flag}}" flag)
        list(APPEND tune_flags "${flag}")
      endif()
    endforeach()
    set(tuned "${CMAKE_CURRENT_BINARY_DIR}/comet/${target}.tuned")
    if(NOT EXISTS "${tuned}")
      file(WRITE "${tuned}" "Schedules are written by ${target}-tune.\n")
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${tuned}")
  endif()
endmacro()

# The flag for another machine than this one; ends where there is no code for it, or no run time.
function(_comet_target_triple variable)
  _comet_machine(machine "${CMAKE_SYSTEM_NAME}" "${CMAKE_SYSTEM_PROCESSOR}")
  _comet_machine(host "${CMAKE_HOST_SYSTEM_NAME}" "${CMAKE_HOST_SYSTEM_PROCESSOR}")
  set(${variable} "" PARENT_SCOPE)
  if(NOT CMAKE_CROSSCOMPILING OR machine STREQUAL host)
    return()
  endif()
  if(NOT machine STREQUAL "Linux aarch64")
    message(FATAL_ERROR "comet_add_library(${target}): there is no code for `${machine}`, which is CMAKE_SYSTEM_NAME "
      "and CMAKE_SYSTEM_PROCESSOR; supported are `${host}`, this machine, and `Linux aarch64`")
  endif()
  if(NOT arg_RUNTIME OR arg_RUNTIME STREQUAL "OWN" OR arg_RUNTIME MATCHES "^comet::")
    message(FATAL_ERROR "comet_add_library(${target}): this package has no run time for `${machine}`; write RUNTIME "
      "and a target for libcomet_runtime.a of a comet that was installed on such a machine")
  endif()
  list(LENGTH arg_TARGET_CPUS count)
  if(count GREATER 1)
    message(FATAL_ERROR "comet_add_library(${target}): several TARGET_CPUS, which are for `${host}` alone; "
      "name one processor of `${machine}`, or leave TARGET_CPUS out")
  endif()
  set(${variable} "--target-triple=aarch64-linux-gnu" PARENT_SCOPE)
endfunction()

# A system and a processor in one spelling: `Linux aarch64`.
function(_comet_machine variable system processor)
  string(TOLOWER "${processor}" processor)
  string(REGEX REPLACE "^amd64$" "x86_64" processor "${processor}")
  string(REGEX REPLACE "^arm64$" "aarch64" processor "${processor}")
  set(${variable} "${system} ${processor}" PARENT_SCOPE)
endfunction()

# The value of --target-cpu. In a cross build, `native` is any processor of the other machine's family.
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

# Adds the command for a source; extends `objects`, `headers` and `emitted`.
macro(_comet_add_source source)
  get_filename_component(path "${source}" ABSOLUTE)
  get_filename_component(name "${source}" NAME_WLE)
  set(object "${folder}/new/${name}.o")
  _comet_schedule(schedule "${name}")
  # What is not about code alone.
  set(options ${arg_OPTIONS})
  list(REMOVE_ITEM options -g)
  if(DEFINED arg_TUNE)
    _comet_tune_source()
  endif()
  set(flags ${triple_flag})
  if(schedule)
    list(APPEND flags "--schedule=${schedule}")
  endif()
  set(outputs obj,header)
  set(namespace_flag)
  set(own_headers "${folder}/${name}.h")
  set(new_headers "${folder}/new/${name}.h")
  if(CXX IN_LIST languages)
    set(outputs obj,header,cxx-header)
    list(APPEND own_headers "${folder}/${name}.hpp")
    list(APPEND new_headers "${folder}/new/${name}.hpp")
    if(arg_NAMESPACE)
      set(namespace_flag "--namespace=${arg_NAMESPACE}")
    endif()
  endif()
  # Headers that stay the same keep their times, so that what includes them is not compiled again. Ninja refuses a
  # depfile with outputs that are not stated here.
  add_custom_command(OUTPUT "${object}" BYPRODUCTS ${new_headers} ${own_headers}
    COMMAND comet::comet build "${path}" --emit=${outputs} -o "${folder}/new/" "--target-cpu=${processors}"
      "--depfile=${folder}/${name}.d" --message-format=short ${namespace_flag} ${flags} ${arg_OPTIONS}
    COMMAND ${CMAKE_COMMAND} -E copy_if_different ${new_headers} "${folder}"
    DEPENDS "${path}" ${schedule} comet::comet ${arg_DEPENDS}
    DEPFILE "${folder}/${name}.d"
    COMMENT "Compiling the kernels of ${name}.ta"
    VERBATIM)
  list(APPEND objects "${object}")
  list(APPEND headers ${own_headers})
  foreach(kind IN LISTS arg_EMIT)
    _comet_emit("${kind}")
  endforeach()
endmacro()

# The schedule of a source: the file of its name, or the only one where that has the name of no source.
function(_comet_schedule variable name)
  set(found)
  foreach(file IN LISTS arg_SCHEDULE)
    get_filename_component(stem "${file}" NAME_WLE)
    if(stem STREQUAL name OR NOT stem IN_LIST names)
      get_filename_component(found "${file}" ABSOLUTE)
    endif()
  endforeach()
  set(${variable} "${found}" PARENT_SCOPE)
endfunction()

# Adds a source to what is measured. `schedule` becomes the file that is written, if it exists already.
macro(_comet_tune_source)
  list(LENGTH arg_SOURCES count)
  get_filename_component(stem "${schedule}" NAME_WLE)
  if(schedule AND count GREATER 1 AND NOT stem STREQUAL name)
    message(FATAL_ERROR "comet_add_library(${target}): TUNE writes a schedule for each source, found one for all; "
      "write SCHEDULE with files that are called like the sources, or leave it out")
  endif()
  if(NOT schedule)
    get_filename_component(schedule "${path}" DIRECTORY)
    set(schedule "${schedule}/${name}.sched")
  endif()
  # After each source, so that its schedule is found also where a later source fails.
  list(APPEND tune_commands
    COMMAND comet::comet tune "${path}" ${tune_flags} -o "${schedule}" --message-format=short ${options}
    COMMAND ${CMAKE_COMMAND} -E touch "${tuned}")
  if(NOT EXISTS "${schedule}")
    set(schedule)
  endif()
endmacro()

# Adds a command for another kind of output.
macro(_comet_emit kind)
  string(REGEX REPLACE ",.*" "" processor "${processors}")
  set(output "${folder}/${name}.${kind}")
  # `-g` is for code.
  set(emit_options ${options})
  if("${kind}" MATCHES "^(asm|llvm)$")
    set(emit_options ${arg_OPTIONS})
  endif()
  add_custom_command(OUTPUT "${output}"
    COMMAND comet::comet build "${path}" "--emit=${kind}" -o "${output}" "--target-cpu=${processor}"
      --message-format=short ${flags} ${emit_options}
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
    add_custom_target(${target}-objects DEPENDS ${objects})
    add_dependencies(${target} ${target}-objects)
    set(scope INTERFACE)
  else()
    set(kind)
    if(arg_STATIC)
      set(kind STATIC)
    elseif(arg_SHARED)
      set(kind SHARED)
    endif()
    add_library(${target} ${kind} ${objects} ${headers})
    set_target_properties(${target} PROPERTIES PUBLIC_HEADER "${headers}")
    if(CXX IN_LIST languages)
      set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
    else()
      set_target_properties(${target} PROPERTIES LINKER_LANGUAGE C)
    endif()
    set(scope PUBLIC)
  endif()
  set(installed include)
  if(CMAKE_INSTALL_INCLUDEDIR)
    set(installed "${CMAKE_INSTALL_INCLUDEDIR}")
  endif()
  # The warnings that a project has enabled are not meant for headers that are generated.
  target_include_directories(${target} SYSTEM ${scope}
    "$<BUILD_INTERFACE:${folder}>" "$<INSTALL_INTERFACE:${installed}>")
  _comet_link_runtime("${target}")
endmacro()

macro(_comet_link_runtime target)
  target_link_libraries(${target} ${scope} comet::headers)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "SHARED_LIBRARY")
    _comet_link_runtime_shared("${target}")
  elseif(NOT arg_RUNTIME)
    target_link_libraries(${target} ${scope} comet::runtime)
  elseif(arg_RUNTIME STREQUAL "OWN")
    target_link_libraries(${target} ${scope} comet::runtime_static)
  else()
    target_link_libraries(${target} ${scope} ${arg_RUNTIME})
  endif()
endmacro()

# What links with a shared library calls nothing of the run time, and need not find it when it starts.
macro(_comet_link_runtime_shared target)
  if(arg_RUNTIME STREQUAL "OWN")
    # The run time is nobody's but this library's, and its threads outlive `dlclose`.
    target_link_libraries(${target} PRIVATE comet::runtime_static)
    target_link_options(${target} PRIVATE "LINKER:--exclude-libs,ALL" "LINKER:-z,nodelete")
  else()
    set_property(TARGET ${target} APPEND PROPERTY INSTALL_RPATH "$ORIGIN")
    # A shared library that linked the static run time would have a copy, and so would what links with it.
    if(NOT arg_RUNTIME OR arg_RUNTIME MATCHES "^comet::runtime(_shared)?$")
      target_link_libraries(${target} PRIVATE comet::runtime_shared)
      set_property(TARGET ${target} APPEND PROPERTY INSTALL_RPATH "$<TARGET_FILE_DIR:comet::runtime_shared>")
    else()
      target_link_libraries(${target} PRIVATE ${arg_RUNTIME})
    endif()
  endif()
endmacro()
