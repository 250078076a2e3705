/// The link between two versions of the service: a socket pair with lines of JSON, and one
/// hand-over with its descriptors.
///
///     new -> old   {"hello":{"protocol":1,"version":"1.2.0","schema":5}}
///     old -> new   {"state":{"octets":N,"descriptors":M}}, M descriptors, N octets
///     new -> old   {"ready":true}            or {"failed":"words"}
///     old -> new   {"go":true}               from here on the old one does nothing more
///     new -> old   {"took":{...}}            from here on the new one reads and writes
///
/// Bound:   a line has line_max octets, a hand-over state_max.
/// Time:    deadlines are steady; calls with one wait, on the main thread, while nothing else runs.
/// Errors:  closed: the other end is gone; timeout; protocol: it says something else.
#pragma once

#include "drivers/serial/owned_fd.hpp"
#include "firmware-host/upgrade/hand_over.hpp"
#include "src/base/clock.hpp"
#include "src/base/result.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smsrack::host {

struct Hello {
    int protocol = 0;
    std::string version = {};
    int schema = 0;  ///< of the database that the program works with
};

class HandOverLink {
public:
    static constexpr std::size_t line_max = 4'096;
    static constexpr std::size_t state_max = 512UL * 1024 * 1024;  ///< 1,024 clients of 300 KiB

    HandOverLink() = default;
    explicit HandOverLink(serial::OwnedFd socket) : socket_(std::move(socket)) {}

    /// Both ends, which no other program inherits.
    [[nodiscard]] static Result<std::pair<HandOverLink, serial::OwnedFd>> make_pair();

    [[nodiscard]] int fd() const { return socket_.get(); }

    /// A line without its end, if one has come; never waits.
    [[nodiscard]] Result<std::optional<std::string>> try_line();
    [[nodiscard]] Result<std::string> line(SteadyTime deadline);
    [[nodiscard]] Result<> send_line(std::string_view line, SteadyTime deadline);

    [[nodiscard]] Result<> send(const HandOver& hand_over, SteadyTime deadline);
    [[nodiscard]] Result<HandOver> receive(SteadyTime deadline);

private:
    /// False: nothing was there.
    [[nodiscard]] Result<bool> read_some();
    [[nodiscard]] Result<> wait(short events, SteadyTime deadline) const;
    [[nodiscard]] Result<> write(std::string_view octets, SteadyTime deadline);
    [[nodiscard]] Result<> send_descriptors(const std::vector<int>& all, SteadyTime deadline);
    [[nodiscard]] std::optional<std::string> take_line();

    serial::OwnedFd socket_;
    std::string octets_;  // come and not taken yet
    std::vector<serial::OwnedFd> descriptors_;
};

// -- what the lines say

[[nodiscard]] std::string hello_line(const Hello& hello);
/// protocol: it is none.
[[nodiscard]] Result<Hello> read_hello(std::string_view line);

/// {"ready":true} and the like: true where `line` is an object with this member.
[[nodiscard]] bool says(std::string_view line, std::string_view word);
[[nodiscard]] std::string line_of(std::string_view word);
[[nodiscard]] std::string failed_line(std::string_view words);
/// The words of {"failed":"..."}; nullopt if it is another line.
[[nodiscard]] std::optional<std::string> failure_of(std::string_view line);

}  // namespace smsrack::host
