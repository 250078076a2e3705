#include "tools/rig/plain_client.hpp"

#include "tools/client/unique_fd.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <string_view>
#include <termios.h>
#include <unistd.h>
#include <utility>

namespace smsrack::rig {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds silence_max(10);
constexpr std::array<std::string_view, 2> set_up{"ATE0\r", "AT+CMGF=0\r"};

/// What the modem must say next.
enum class Awaits : std::uint8_t { ready, prompt, answer, nothing };

class PlainLine {
public:
    static Result<PlainLine> open(const std::filesystem::path& port) {
        client::UniqueFd fd(::open(port.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
        termios settings{};
        if (!fd || tcgetattr(fd.get(), &settings) != 0) {
            return fail(Errc::no_device, port.string(), errno);
        }
        cfmakeraw(&settings);
        (void)tcsetattr(fd.get(), TCSANOW, &settings);
        return PlainLine(std::move(fd));
    }

    /// Takes what came; begins the next submit where the last one is done and `more`.
    Result<> on_readable(const PlainPlan& plan, bool more) {
        std::array<char, 512> buffer;
        const auto size = ::read(fd_.get(), buffer.data(), buffer.size());
        if (size <= 0) {
            return size < 0 && errno == EAGAIN ? Result<>{}
                                               : fail(Errc::no_device, "a port is gone", errno);
        }
        heard_.append(buffer.data(), static_cast<std::size_t>(size));
        return proceed(plan, more);
    }

    /// The first command.
    Result<> start() { return write(set_up[0]); }

    [[nodiscard]] int fd() const { return fd_.get(); }
    [[nodiscard]] bool done() const { return awaits_ == Awaits::nothing; }
    [[nodiscard]] std::size_t answered() const { return answered_; }

private:
    explicit PlainLine(client::UniqueFd fd) : fd_(std::move(fd)) {}
    Result<> write(std::string_view octets) const {
        const auto size = ::write(fd_.get(), octets.data(), octets.size());
        return size == static_cast<ssize_t>(octets.size())
                   ? Result<>{}
                   : fail(Errc::no_device, "a port takes no more", errno);
    }

    Result<> proceed(const PlainPlan& plan, bool more) {
        if (heard_.contains("ERROR")) {
            return fail(Errc::protocol, "a modem refused");
        }
        const bool prompted = heard_.ends_with("> ");
        const bool final = heard_.ends_with("OK\r\n");
        if (awaits_ == Awaits::prompt && prompted) {
            heard_.clear();
            awaits_ = Awaits::answer;
            return write(plan.pdu_hex + "\x1A");
        }
        if (awaits_ == Awaits::ready && final) {
            heard_.clear();
            ++set_up_done_;
            return set_up_done_ < set_up.size() ? write(set_up.at(set_up_done_))
                                                : begin(plan, more);
        }
        if (awaits_ == Awaits::answer && final) {
            heard_.clear();
            ++answered_;
            return begin(plan, more);
        }
        return {};
    }

    Result<> begin(const PlainPlan& plan, bool more) {
        if (!more) {
            awaits_ = Awaits::nothing;
            return {};
        }
        awaits_ = Awaits::prompt;
        return write(fmt::format("AT+CMGS={}\r", plan.tpdu_octets));
    }

    client::UniqueFd fd_;
    Awaits awaits_ = Awaits::ready;
    std::size_t set_up_done_ = 0;
    std::string heard_;
    std::size_t answered_ = 0;
};

class PlainClient {
public:
    PlainClient(const PlainPlan& plan, const Interrupt& interrupt)
        : plan_(plan), interrupt_(interrupt) {}

    Result<std::size_t> run() {
        if (auto opened = open(); !opened) {
            return std::unexpected(opened.error());
        }
        while (!std::ranges::all_of(lines_, &PlainLine::done)) {
            if (auto turned = turn(); !turned) {
                return std::unexpected(turned.error());
            }
        }
        std::size_t answered = 0;
        for (const PlainLine& line : lines_) {
            answered += line.answered();
        }
        return answered;
    }

private:
    Result<> open() {
        for (const auto& port : plan_.ports) {
            auto line = PlainLine::open(port);
            if (!line) {
                return std::unexpected(line.error());
            }
            fds_.push_back({.fd = line->fd(), .events = POLLIN, .revents = 0});
            lines_.push_back(std::move(*line));
        }
        fds_.push_back({.fd = interrupt_.fd(), .events = POLLIN, .revents = 0});
        for (PlainLine& line : lines_) {
            if (auto started = line.start(); !started) {
                return started;
            }
        }
        return {};
    }

    Result<> turn() {
        constexpr auto silence_ms = std::chrono::milliseconds(silence_max).count();
        if (poll(fds_.data(), fds_.size(), static_cast<int>(silence_ms)) == 0) {
            return fail(Errc::timeout, "the modems are silent");
        }
        if (fds_.back().revents != 0) {
            return called_off();
        }
        const bool more = steady_clock::now() < plan_.until;
        for (std::size_t i = 0; i < lines_.size(); ++i) {
            if (fds_[i].revents != 0) {
                if (auto taken = lines_[i].on_readable(plan_, more); !taken) {
                    return taken;
                }
            }
        }
        return {};
    }

    const PlainPlan& plan_;
    const Interrupt& interrupt_;
    std::vector<PlainLine> lines_;
    std::vector<pollfd> fds_;
};

}  // namespace

Result<std::size_t> run_plain_client(const PlainPlan& plan, const Interrupt& interrupt) {
    return PlainClient(plan, interrupt).run();
}

}  // namespace smsrack::rig
