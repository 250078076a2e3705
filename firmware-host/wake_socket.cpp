#include "firmware-host/wake_socket.hpp"

#include "firmware-host/net/unix_client.hpp"
#include "src/cluster/power_line.hpp"

#include <array>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <string_view>
#include <sys/stat.h>
#include <utility>

namespace smsrack::host {

/// Those in flight. The loop's thread.
class WakeSocket::Orders {
public:
    Orders(net::Loop& loop, std::string path) : loop_(loop), path_(std::move(path)) {}

    void begin(std::string line, ports::Done<void> done) {
        if (in_flight_.size() >= orders_max) {
            return done(fail(Errc::queue_full, "too many orders for smsrack-wake are in flight"));
        }
        const int number = ++last_;
        Order& order = in_flight_[number];
        order.done = std::move(done);
        order.client.emplace(
            loop_, path_, memory_,
            net::UnixClient::Events{
                .data = [this, number](std::string_view text) { read(number, text); },
                .closed =
                    [this, number] {
                        end(number, fail(Errc::closed, path_ + " ended without an answer"));
                    }});
        order.deadline = loop_.after(answers_within, [this, number] {
            end(number, fail(Errc::timeout, fmt::format("{} did not answer within {} s", path_,
                                                        answers_within.count())));
        });
        order.client->write(std::move(line));
    }

private:
    struct Order {
        std::optional<net::UnixClient> client = {};
        net::LoopWatchPtr deadline = {};
        std::string answer = {};
        ports::Done<void> done = {};
    };

    void read(int number, std::string_view text) {
        Order& order = in_flight_.at(number);
        order.answer += text;
        if (const std::size_t stop = order.answer.find('\n'); stop != std::string::npos) {
            end(number, cluster::read_end(std::string_view(order.answer).substr(0, stop)));
        } else if (order.answer.size() >= cluster::power_line_max) {
            end(number, fail(Errc::protocol, path_ + " answered with too long a line"));
        }
    }

    void end(int number, Result<> how) {
        const auto ended = in_flight_.extract(number);
        ended.mapped().done(std::move(how));
    }

    net::Loop& loop_;
    const std::string path_;
    std::array<char, cluster::power_line_max> memory_ = {};
    int last_ = 0;
    std::map<int, Order> in_flight_ = {};  // <= orders_max
};

WakeSocket::WakeSocket(net::Loop& loop, std::string path)
    : loop_(loop), path_(std::move(path)), orders_(std::make_shared<Orders>(loop, path_)) {}

WakeSocket::~WakeSocket() = default;

bool WakeSocket::is_there() const {
    struct stat about {};
    return !path_.empty() && ::stat(path_.c_str(), &about) == 0 && S_ISSOCK(about.st_mode);
}

void WakeSocket::order(ports::PowerOrder what, std::string box, ports::Done<void> done) {
    auto line = cluster::line_of(cluster::PowerLine{.what = what, .box = std::move(box)});
    if (!line) {
        return done(std::unexpected(std::move(line.error())));
    }
    loop_.post([orders = std::weak_ptr(orders_), line = *std::move(line),
                done = std::move(done)]() mutable {
        if (const auto there = orders.lock()) {
            there->begin(std::move(line), std::move(done));
        }
    });
}

}  // namespace smsrack::host
