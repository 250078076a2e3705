#include "tools/rig/http_load.hpp"

#include "src/base/timespec.hpp"
#include "tools/client/http_client.hpp"
#include "tools/client/unique_fd.hpp"
#include "tools/rig/message_form.hpp"
#include "tools/rig/short_reply.hpp"
#include "tools/rig/usage.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fmt/format.h>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <utility>

namespace smsrack::rig {
namespace {

using std::chrono::steady_clock;

constexpr int accepted_status = 202;

struct Connection {
    client::UniqueFd fd;
    SteadyTime due = {};
    std::string input = {};  // of an answer that came in pieces
};

class Load {
public:
    Load(const LoadPlan& plan, const Interrupt& interrupt)
        : plan_(plan), interrupt_(interrupt), form_(plan.run, plan.priority) {}

    Result<> connect() {
        epoll_ = client::UniqueFd(epoll_create1(EPOLL_CLOEXEC));
        for (std::size_t i = 0; i < plan_.connections; ++i) {
            auto fd = client::connect_unix(plan_.socket.string());
            if (!fd) {
                return std::unexpected(fd.error());
            }
            epoll_event wanted{.events = EPOLLIN, .data = {.u64 = i}};
            if (epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd->get(), &wanted) != 0) {
                return fail(Errc::internal, "epoll", errno);
            }
            connections_.push_back({.fd = std::move(*fd)});
            free_.push_back(i);
        }
        return {};
    }

    Result<LoadResult> run() {
        result_.latency_ms.reserve(plan_.arrivals.size());
        const double cpu_before = own_cpu_seconds();
        result_.started = steady_clock::now();
        const SteadyTime end =
            result_.started + plan_.patience +
            (plan_.arrivals.empty() ? std::chrono::nanoseconds::zero() : plan_.arrivals.back());
        SteadyTime now = result_.started;
        while ((next_ < plan_.arrivals.size() || in_flight() > 0) && now < end) {
            if (auto sent = send_due(now); !sent) {
                return std::unexpected(sent.error());
            }
            if (rest(now)) {
                return called_off();
            }
            if (auto taken = take_answers(); !taken) {
                return std::unexpected(taken.error());
            }
            now = steady_clock::now();
        }
        result_.unanswered = plan_.arrivals.size() - result_.accepted - result_.refused;
        result_.seconds = std::chrono::duration<double>(last_answer_ - result_.started).count();
        result_.cpu_seconds = own_cpu_seconds() - cpu_before;
        return std::move(result_);
    }

private:
    [[nodiscard]] std::size_t in_flight() const { return connections_.size() - free_.size(); }
    Result<> send_due(SteadyTime now) {
        while (next_ < plan_.arrivals.size() && !free_.empty() &&
               result_.started + plan_.arrivals[next_] <= now) {
            Connection& connection = connections_[free_.back()];
            const std::string_view octets = form_.request(plan_.first_serial + next_);
            const auto sent =
                ::send(connection.fd.get(), octets.data(), octets.size(), MSG_NOSIGNAL);
            if (sent != static_cast<ssize_t>(octets.size())) {
                return fail(Errc::closed, "the service closed a connection", errno);
            }
            connection.due = result_.started + plan_.arrivals[next_];
            free_.pop_back();
            ++next_;
        }
        return {};
    }

    Result<> take_answers() {
        if (in_flight() == 0) {
            return {};
        }
        std::array<epoll_event, 64> events{};
        const int count =
            epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), 0);
        for (int i = 0; i < count; ++i) {
            if (auto taken = take_answer(
                    static_cast<std::size_t>(events.at(static_cast<std::size_t>(i)).data.u64));
                !taken) {
                return taken;
            }
        }
        return {};
    }

    Result<> take_answer(std::size_t index) {
        Connection& connection = connections_[index];
        std::array<char, 4096> buffer;
        const auto size = ::recv(connection.fd.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
        if (size <= 0) {
            return fail(Errc::closed, "the service closed a connection", size < 0 ? errno : 0);
        }
        std::string_view octets(buffer.data(), static_cast<std::size_t>(size));
        if (!connection.input.empty()) {
            connection.input += octets;
            octets = connection.input;
        }
        const auto reply = read_short_reply(octets);
        if (!reply) {
            if (connection.input.empty()) {
                connection.input = octets;
            }
            return {};
        }
        if (reply->status == 0 || reply->size != octets.size()) {
            return fail(Errc::protocol, "an answer that is none");
        }
        count(connection, reply->status, octets, steady_clock::now());
        connection.input.clear();
        free_.push_back(index);
        return {};
    }

    void count(Connection& connection, int status, std::string_view octets, SteadyTime now) {
        last_answer_ = now;
        if (status != accepted_status) {
            if (result_.refused++ == 0) {
                const auto body = octets.find("\r\n\r\n");
                result_.first_refusal = fmt::format(
                    "{} {}", status, body == std::string_view::npos ? "" : octets.substr(body + 4));
            }
            return;
        }
        if (result_.accepted > 0) {
            result_.longest_gap_ms =
                std::max(result_.longest_gap_ms,
                         std::chrono::duration<double, std::milli>(now - last_accepted_).count());
        }
        last_accepted_ = now;
        ++result_.accepted;
        result_.latency_ms.push_back(
            std::chrono::duration<double, std::milli>(now - connection.due).count());
    }

    /// True: called off.
    [[nodiscard]] bool rest(SteadyTime now) const {
        SteadyTime until = now + turn;
        if (in_flight() == 0 && next_ < plan_.arrivals.size()) {
            until = std::max(until, result_.started + plan_.arrivals[next_]);
        }
        const timespec limit = timespec_of(until - now);
        pollfd signal{interrupt_.fd(), POLLIN, 0};
        return ppoll(&signal, 1, &limit, nullptr) == 1;
    }

    const LoadPlan& plan_;
    const Interrupt& interrupt_;
    MessageForm form_;
    client::UniqueFd epoll_;
    std::vector<Connection> connections_;
    std::vector<std::size_t> free_;
    std::size_t next_ = 0;  // of the arrivals
    SteadyTime last_answer_ = {};
    SteadyTime last_accepted_ = {};
    LoadResult result_;
};

}  // namespace

Result<LoadResult> run_load(const LoadPlan& plan, const Interrupt& interrupt) {
    Load load(plan, interrupt);
    if (auto connected = load.connect(); !connected) {
        return std::unexpected(connected.error());
    }
    return load.run();
}

}  // namespace smsrack::rig
