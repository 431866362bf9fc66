# What the scripts share.

# run(<command>…): ends the test where the command fails; leaves what it printed in `output`.
macro(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    list(JOIN ARGN " " _words)
    message(FATAL_ERROR "`${_words}` failed (${code}):\n${output}")
  endif()
endmacro()

# expect(<pattern>) and refuse(<pattern>): what `output` has, and has not.
function(expect pattern)
  if(NOT output MATCHES "${pattern}")
    message(FATAL_ERROR "expected `${pattern}` in:\n${output}")
  endif()
endfunction()

function(refuse pattern)
  if(output MATCHES "${pattern}")
    message(FATAL_ERROR "did not expect `${pattern}` in:\n${output}")
  endif()
endfunction()

# guide_block(<guide> <language> <file> [<text>]): writes the first block of that language in a guide, or the first one
# behind a text of it, into a file of `FOLDER`.
function(guide_block guide language file)
  file(READ "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../compiler/docs/guides/${guide}" text)
  string(FIND "${text}" "${ARGN}" start)
  if(start EQUAL -1)
    message(FATAL_ERROR "${guide} does not have `${ARGN}`")
  endif()
  string(SUBSTRING "${text}" ${start} -1 text)
  string(FIND "${text}" "```${language}\n" start)
  string(SUBSTRING "${text}" ${start} -1 block)
  string(FIND "${block}" "\n" start)
  math(EXPR start "${start} + 1")
  string(SUBSTRING "${block}" ${start} -1 block)
  string(FIND "${block}" "```" end)
  string(SUBSTRING "${block}" 0 ${end} block)
  file(WRITE "${FOLDER}/${file}" "${block}")
endfunction()
