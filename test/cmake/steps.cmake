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
