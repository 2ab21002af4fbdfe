# A build for WebAssembly: Debian's Clang with wasi-libc and libc++ (scripts/install_deps.sh --web).
set(CMAKE_SYSTEM_NAME Generic)  # CMake 3.25 knows no WASI
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_CXX_COMPILER clang++)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
# A module without main(), which is what a program would be.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
