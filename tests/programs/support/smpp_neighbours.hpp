/// Hostile clients of an SMPP server, all at once: one that does not read, some that send slowly, some that lie about lengths.
///
/// Threads: one of its own.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>

namespace smsrack::test {

class SmppNeighbours {
public:
    /// `account` may bind, and has its own receipts, which it never answers.
    SmppNeighbours(std::uint16_t port, std::string account);

    /// Connections that the server closed, since the begin.
    [[nodiscard]] std::size_t closed() const { return closed_; }
    /// How often all of them wrote something.
    [[nodiscard]] std::size_t turns() const { return turns_; }
    /// Why it could not connect at the last; empty if it could.
    [[nodiscard]] const std::string& end();

private:
    void run(const std::stop_token& stop);

    const std::uint16_t port_;
    const std::string account_;
    std::string fault_;
    std::atomic<std::size_t> closed_ = 0;
    std::atomic<std::size_t> turns_ = 0;
    std::jthread thread_;
};

}  // namespace smsrack::test
