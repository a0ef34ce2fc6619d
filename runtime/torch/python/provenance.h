// Tells, under an error of the virtual devices, where each operand got its place: the line of the
// user's Python code that made its memory.
//
//     Expected all tensors to be on the same device, but ...
//     placecheck: 'mat1' [8, 4] is on cpu since train.py:41: batch = torch.randn(8, 4)
//     placecheck: 'mat2' [4, 2] is on cuda:0 since train.py:12: model.cuda()
//
// Threads: any. The functions are C's, so that Python calls them through ctypes.
#ifndef PLACECHECK_RUNTIME_TORCH_PYTHON_PROVENANCE_H_
#define PLACECHECK_RUNTIME_TORCH_PYTHON_PROVENANCE_H_

extern "C" {

// Colon-separated folders whose code is not the user's: errors name no line of theirs. Once, first.
__attribute__((visibility("default"))) void placecheck_set_library_folders(const char* folders);

// From now on.
__attribute__((visibility("default"))) void placecheck_start_provenance();

// The program receives a tensor at this line that another process or a thread of a library's made:
// a c10::TensorImpl, borrowed, as `tensor._cdata` has it. Nothing happens before the start.
__attribute__((visibility("default"))) void placecheck_receive_tensor(const void* tensor);

// Before Python ends, without the interpreter's lock; lets other threads come to rest.
__attribute__((visibility("default"))) void placecheck_stop_provenance();
}

#endif  // PLACECHECK_RUNTIME_TORCH_PYTHON_PROVENANCE_H_
