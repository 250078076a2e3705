/// Handles of libuv, which outlive their owner by the time that libuv needs to close them.
#pragma once

#include <uv.h>

namespace smsrack::net {

template <typename Handle>
[[nodiscard]] uv_handle_t* as_handle(Handle* handle) {
    return reinterpret_cast<uv_handle_t*>(handle);
}

template <typename Handle>
[[nodiscard]] uv_stream_t* as_stream(Handle* handle) {
    return reinterpret_cast<uv_stream_t*>(handle);
}

template <typename Handle>
void close_and_delete(Handle* handle) {
    uv_close(as_handle(handle),
             [](uv_handle_t* closed) noexcept { delete reinterpret_cast<Handle*>(closed); });
}

/// A connection of either kind, as one allocation.
union SocketHandle {
    uv_handle_t handle;
    uv_stream_t stream;
    uv_pipe_t pipe;
    uv_tcp_t tcp;
};

/// -1: it has none.
template <typename Handle>
[[nodiscard]] int descriptor_of(Handle* handle) {
    uv_os_fd_t fd = -1;
    return uv_fileno(as_handle(handle), &fd) == 0 ? fd : -1;
}

}  // namespace smsrack::net
