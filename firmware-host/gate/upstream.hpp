/// Connections to the service: each carries one call after another, and those that are idle are kept.
///
/// Bound:   idle_max idle connections; those with a call are as many as the gate has clients.
/// Threads: loop thread.
#pragma once

#include "firmware-host/net/loop.hpp"
#include "firmware-host/net/unix_client.hpp"
#include "src/wire/response_parser.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::gate {

class Upstream {
public:
    static constexpr std::size_t idle_max = 64;

    /// What comes of a call. All may destroy the call.
    struct Events {
        std::function<void(const wire::ReplyHead&)> head = {};
        std::function<void(std::string_view)> body = {};
        std::function<void()> end = {};    ///< the answer is whole
        std::function<void()> lost = {};   ///< the connection has ended before
        std::function<void()> taken = {};  ///< all that was written has left
    };

    class Connection;

    /// One call. What it writes is the rest of its request; without the object the answer is unwanted.
    class Call {
    public:
        Call(Upstream& upstream, std::unique_ptr<Connection> connection);
        ~Call();
        Call(const Call&) = delete;
        Call& operator=(const Call&) = delete;

        void write(std::string octets);
        [[nodiscard]] std::size_t backlog() const;
        void pause(bool paused);
        /// The service may have read of it.
        [[nodiscard]] bool has_arrived() const;

    private:
        friend class Upstream;
        Upstream& upstream_;
        std::unique_ptr<Connection> connection_;
    };

    Upstream(net::Loop& loop, std::string socket_path);
    ~Upstream();
    Upstream(const Upstream&) = delete;
    Upstream& operator=(const Upstream&) = delete;

    /// A kept connection may end in the moment in which a call is written to it. What must not be sent twice is better sent
    /// over a new one. A call with a streamed body has a connection of its own: its answer may come
    /// before the body's end, and the next call would be taken for the rest of it.
    enum class Over : std::uint8_t { any, fresh, own };

    /// Sends a request, or its front. No event comes before this has returned.
    [[nodiscard]] std::unique_ptr<Call> begin(std::string request, Over over, Events events);

    [[nodiscard]] std::size_t idle() const { return idle_.size(); }

private:
    void keep(std::unique_ptr<Connection> connection);
    void forget(const Connection& idle);

    net::Loop& loop_;
    const std::string socket_path_;
    std::vector<std::unique_ptr<Connection>> idle_;  // <= idle_max
    std::array<char, 64UL * 1024> read_memory_{};
};

/// Events that call the members of an object, as long as it exists.
template <typename T>
[[nodiscard]] Upstream::Events events_to(std::weak_ptr<T> object) {
    const auto to = [&object](auto member) {
        return [object, member](const auto&... what) {
            if (const auto self = object.lock()) {
                ((*self).*member)(what...);
            }
        };
    };
    return {.head = to(&T::take_head),
            .body = to(&T::take_body),
            .end = to(&T::take_end),
            .lost = to(&T::lost)};
}

}  // namespace smsrack::gate
