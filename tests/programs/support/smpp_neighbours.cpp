#include "tests/programs/support/smpp_neighbours.hpp"

#include "src/smpp/pdu.hpp"
#include "tests/programs/support/smpp_rack.hpp"
#include "tools/rig/esme.hpp"

#include <array>
#include <cerrno>
#include <list>
#include <poll.h>
#include <stdexcept>
#include <string_view>
#include <sys/socket.h>
#include <utility>

namespace smsrack::test {
namespace {

using namespace std::chrono_literals;
using namespace std::string_literals;

constexpr std::size_t mute_sessions = 2;
constexpr std::size_t slow_sessions = 4;
constexpr std::size_t strangers_max = 8;
constexpr int turn_ms = 10;
constexpr int enquiries_a_turn = 500;

/// Writes without waiting. False: the server has closed the connection.
bool write_some(const rig::Esme& esme, std::string_view octets) {
    const ssize_t count =
        ::send(esme.descriptor(), octets.data(), octets.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    return count >= 0 || errno == EAGAIN;
}

const std::array<std::string, 5>& lies() {
    static const std::array<std::string, 5> all{
        "\0\0\0\x0F\0\0\0\x04\0\0\0\0\0\0\0\x01"s,             // shorter than a header
        "\xFF\xFF\xFF\xFF\0\0\0\x04"s + std::string(8, '\0'),  // 4 GiB
        "\0\x01\x0F\xFF\0\0\0\x04\0\0\0\0\0\0\0\x01"s,         // 68 KiB, which never come
        "\0\0\0\x20\0\0\0\x09\0\0\0\0\0\0\0\x01"s + std::string(16, 'a'),  // no end of a C-string
        "GET / HTTP/1.1\r\n\r\n"s};
    return all;
}

std::string honest_submit() {
    return smpp::encode({.header = {.command = smpp::Command::submit_sm, .sequence = 1},
                         .body = message_to("+33699999999", "slow")});
}

std::string enquiries() {
    const std::string one =
        smpp::encode({.header = {.command = smpp::Command::enquire_link, .sequence = 1}});
    std::string all;
    for (int n = 0; n < enquiries_a_turn; ++n) {
        all += one;
    }
    return all;
}

/// A submit_sm of a bound session whose short_message says that it is longer than its PDU.
std::string lying_submit() {
    std::string octets =
        smpp::encode({.header = {.command = smpp::Command::submit_sm, .sequence = 9},
                      .body = message_to("+33699999999", "lie")});
    octets[octets.size() - 4] = '\xF0';  // sm_length
    return octets;
}

/// All of them. Each connection that the server closes is replaced.
class Crowd {
public:
    Crowd(std::uint16_t port, const std::string& account, std::atomic<std::size_t>& closed)
        : port_(port), account_(account), closed_(closed) {}

    void turn() {
        bind(mute_, mute_sessions);
        bind(liars_, 1);
        bind(slow_, slow_sessions);
        write_all(mute_, enquiries_);
        write_all(liars_, lying_submit());
        write_all(slow_, std::string_view(submit_).substr(turns_ % submit_.size(), 1));
        if (strangers_.size() == strangers_max) {
            strangers_.pop_front();
        }
        strangers_.emplace_back(port_);
        (void)write_some(strangers_.back(), lies().at(turns_ % lies().size()));
        ++turns_;
    }

private:
    void bind(std::list<rig::Esme>& sessions, std::size_t count) {
        // A slow one begins with the first octet.
        while (sessions.size() < count && (&sessions != &slow_ || turns_ % submit_.size() == 0)) {
            sessions.emplace_back(port_);
            (void)sessions.back().bind(account_, "secret12");
        }
    }

    void write_all(std::list<rig::Esme>& sessions, std::string_view octets) {
        closed_ += std::erase_if(sessions,
                                 [&](const rig::Esme& esme) { return !write_some(esme, octets); });
    }

    const std::uint16_t port_;
    const std::string& account_;
    std::atomic<std::size_t>& closed_;
    const std::string enquiries_ = enquiries();
    const std::string submit_ = honest_submit();
    std::list<rig::Esme> mute_;   // they ask and never read
    std::list<rig::Esme> liars_;  // nor do these
    std::list<rig::Esme> slow_;   // an octet a turn
    std::list<rig::Esme> strangers_;
    std::size_t turns_ = 0;
};

}  // namespace

SmppNeighbours::SmppNeighbours(std::uint16_t port, std::string account)
    : port_(port),
      account_(std::move(account)),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

void SmppNeighbours::run(const std::stop_token& stop) {
    try {
        Crowd crowd(port_, account_, closed_);
        while (!stop.stop_requested()) {
            crowd.turn();
            ++turns_;
            ::poll(nullptr, 0, turn_ms);
        }
    } catch (const std::runtime_error& error) {
        fault_ = error.what();
    }
}

const std::string& SmppNeighbours::end() {
    thread_.request_stop();
    if (thread_.joinable()) {
        thread_.join();
    }
    return fault_;
}

}  // namespace smsrack::test
