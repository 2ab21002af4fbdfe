# Writes version.cpp from version.cpp.in at every build, so that a report names the commit it was really built from.
execute_process(COMMAND git rev-parse --short=12 HEAD WORKING_DIRECTORY "${SOURCE_DIR}" OUTPUT_VARIABLE SLIDEBENCH_COMMIT
                OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
execute_process(COMMAND git status --porcelain --untracked-files=no WORKING_DIRECTORY "${SOURCE_DIR}"
                OUTPUT_VARIABLE changes ERROR_QUIET)
set(SLIDEBENCH_DIRTY false)
if(changes)
  set(SLIDEBENCH_DIRTY true)
endif()
configure_file("${SOURCE_DIR}/harness/base/version.cpp.in" "${OUT}" @ONLY)
