# find_package(slidebench): the function slidebench_add_method(), for methods outside the tree. It lies beside
# add_method.cmake, in a checkout and in an installation alike.
include("${CMAKE_CURRENT_LIST_DIR}/add_method.cmake")
