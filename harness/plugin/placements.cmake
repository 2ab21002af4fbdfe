# The same instructions run faster or slower where the branches between them lie elsewhere, and one build is one draw. So each
# module that is timed has SLIDEBENCH_PLACEMENTS placements: the compiler's own in the folder of the modules, the others in its
# folders placement1, placement2 and so on, each assembled from a layout of its own (layouts/draw_layout.awk). Each process run
# draws one.

# Has a module's sources compiled by way of assembly, and makes its further placements.
function(slidebench_place_elsewhere target)
  slidebench_last_placement(last)
  if(last EQUAL 0)
    return()
  endif()
  set(layouts "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/layouts")
  set(assembler as)
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    set(assembler "${CMAKE_CXX_COMPILER} -c -x assembler")
  endif()
  set(word 0)
  if(NOT SLIDEBENCH_ARCHITECTURE STREQUAL "x86-64")
    set(word 4)
  endif()
  set_target_properties(${target} PROPERTIES RULE_LAUNCH_COMPILE "sh '${layouts}/compile.sh' '${assembler}'")
  set(modules "")
  foreach(placement RANGE 1 ${last})
    list(APPEND modules "${SLIDEBENCH_PLUGIN_DIR}/placement${placement}/${target}.so")
  endforeach()
  add_custom_command(TARGET ${target} POST_BUILD
                     COMMAND sh "${layouts}/draw.sh" "${assembler}" ${word} ${last} "${SLIDEBENCH_PLUGIN_DIR}" ${target}.so
                             "${SLIDEBENCH_EXPORTS}" "$<TARGET_OBJECTS:${target}>"
                     BYPRODUCTS ${modules} VERBATIM COMMAND_EXPAND_LISTS)
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${layouts}/draw.sh" "${layouts}/draw_layout.awk")
endfunction()

# The number of the last placement; the compiler's own is 0. Cross-compiled modules, and those with sanitizers, are not
# measured here.
function(slidebench_last_placement out)
  set(last 0)
  set(placements "${SLIDEBENCH_PLACEMENTS}")
  if(placements AND NOT placements MATCHES "^([1-9]|[1-5][0-9]|6[0-4])$")
    message(FATAL_ERROR "SLIDEBENCH_PLACEMENTS: '${placements}' is not a number of placements from 1 to 64")
  endif()
  if(placements AND NOT SLIDEBENCH_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
    math(EXPR last "${placements} - 1")
  endif()
  set(${out} ${last} PARENT_SCOPE)
endfunction()
