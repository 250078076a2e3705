/// A connection to a Unix socket of another process.
///
/// Bound:   what was written and not taken yet is backlog(); the caller waits while it is large.
/// Threads: loop thread. Callbacks may destroy the object.
#pragma once

#include "firmware-host/net/handles.hpp"
#include "firmware-host/net/loop.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace smsrack::net {

class UnixClient {
public:
    struct Events {
        std::function<void(std::string_view)> data = {};
        std::function<void()> written = {};  ///< all that was backlog() was taken
        /// It could not be made, or has ended; nothing comes after.
        std::function<void()> closed = {};
    };

    /// Begins to connect. What is written meanwhile waits. `memory` is for one read, shared by all of one loop; it outlives
    /// the object.
    UnixClient(Loop& loop, const std::string& path, std::span<char> memory, Events events);
    ~UnixClient();
    UnixClient(const UnixClient&) = delete;
    UnixClient& operator=(const UnixClient&) = delete;

    void write(std::string octets);
    [[nodiscard]] std::size_t backlog() const;
    /// The other side has taken the connection, so it may have read what was written.
    [[nodiscard]] bool connected() const;
    /// While paused nothing is read.
    void pause(bool paused);

private:
    struct State;
    State* const state_;  // ends once libuv has closed it
};

}  // namespace smsrack::net
