# One clear line for a system or processor that slidebench cannot be built for. harness/README.md says what is missing there.
if(SLIDEBENCH_ARCHITECTURE STREQUAL "wasm32")
  return()  # the methods alone, as one module for browsers: extras/web
endif()
if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux")
  message(FATAL_ERROR "slidebench needs Linux, and this is ${CMAKE_SYSTEM_NAME}: harness/README.md lists what it "
                      "uses of it. A Linux container or virtual machine does.")
endif()
if(NOT SLIDEBENCH_ARCHITECTURE MATCHES "^(x86-64|AArch64)$")
  message(FATAL_ERROR "slidebench knows the processors x86-64 and AArch64, not ${SLIDEBENCH_ARCHITECTURE}: "
                      "harness/README.md lists what a port has to add")
endif()
