#include "tools/bench/overload_clients.hpp"

#include "tools/client/http_client.hpp"
#include "tools/modem_model/faults/split_mix.hpp"
#include "tools/rig/message_form.hpp"

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <queue>
#include <thread>
#include <utility>

namespace smsrack::bench {
namespace {

using std::chrono::steady_clock;

struct Message {
    SteadyTime at = {};  // when it must be asked for
    std::uint64_t serial = 0;
    Level level = 0;
    bool polite = false;
    bool again = false;
    bool operator<(const Message& other) const { return at > other.at; }
};

class Client {
public:
    Client(const ClientPlan& plan, unsigned index, SteadyTime began)
        : plan_(plan),
          // One after the other, in the first third of the time.
          began_(began + plan.lasting * index / (3 * plan.clients)),
          end_(began + plan.lasting),
          chance_(plan.seed * 1'000 + index),
          next_serial_(std::uint64_t{index} * 1'000'000),
          http_(plan.socket.string(), {}) {}

    void run(const rig::Interrupt& interrupt) {
        coming_.push(new_message(began_));
        while (coming_.top().at < end_ && !failed) {
            const Message message = coming_.top();
            coming_.pop();
            if (!message.again) {
                coming_.push(new_message(message.at));
            }
            while (steady_clock::now() < message.at) {
                const auto left =
                    std::chrono::ceil<std::chrono::milliseconds>(message.at - steady_clock::now());
                if (interrupt.rest(std::max(left, std::chrono::milliseconds(0)))) {
                    failed = rig::called_off().error();
                    return;
                }
            }
            ask(message);
        }
    }

    ClientResult result = {};
    std::optional<Error> failed = {};

private:
    double even() { return static_cast<double>(chance_.next() >> 11U) * 0x1p-53; }

    Message new_message(SteadyTime after) {
        const double gap_s = -std::log1p(-even()) * plan_.clients / plan_.per_second;
        double place = even();
        Level level = 0;
        while (level < level_max && place >= plan_.shares.at(level)) {
            place -= plan_.shares.at(level++);
        }
        return {.at = after + std::chrono::nanoseconds(std::llround(gap_s * 1e9)),
                .serial = next_serial_++,
                .level = level,
                .polite = even() < plan_.polite};
    }

    void ask(const Message& message) {
        const std::string to = rig::MessageForm::recipient(message.serial);
        const SteadyTime asked = steady_clock::now();
        const auto reply = http_.call(
            {.method = "POST",
             .target = "/v1/messages",
             .headers = {{"Content-Type", "application/json"}},
             .body = fmt::format(R"({{"to":"{}","text":"{}","priority":{},"report":false}})", to,
                                 rig::forty_letters, message.level)});
        if (!reply) {
            failed = reply.error();
            return;
        }
        result.offered += message.again ? 0 : 1;
        result.obeyed += message.again ? 1 : 0;
        if (reply->status() == 202) {
            result.accepted_then += message.again ? 1 : 0;
            result.accepted.push_back({.to = to, .level = message.level, .at = asked});
            return;
        }
        const std::string_view after = reply->head.header("retry-after");
        unsigned seconds = 0;
        if (reply->status() != 503 ||
            std::from_chars(after.data(), after.data() + after.size(), seconds).ec != std::errc{}) {
            failed = Error{.code = Errc::protocol,
                           .context = fmt::format("status {}: {}", reply->status(), reply->body)};
            return;
        }
        ++result.refused;
        if (message.polite) {
            Message later = message;
            later.at = steady_clock::now() + std::chrono::seconds(seconds);
            later.again = true;
            coming_.push(later);
        }
    }

    const ClientPlan& plan_;
    const SteadyTime began_;
    const SteadyTime end_;
    modem_sim::SplitMix chance_;
    std::uint64_t next_serial_;
    client::HttpClient http_;
    std::priority_queue<Message> coming_;
};

}  // namespace

Result<ClientResult> run_clients(const ClientPlan& plan, const rig::Interrupt& interrupt) {
    ClientResult all{.began = steady_clock::now()};
    std::vector<std::unique_ptr<Client>> clients;
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < plan.clients; ++i) {
        clients.push_back(std::make_unique<Client>(plan, i, all.began));
        threads.emplace_back([&client = *clients.back(), &interrupt] { client.run(interrupt); });
    }
    threads.clear();
    for (const auto& client : clients) {
        if (client->failed) {
            return std::unexpected(*client->failed);
        }
        all.offered += client->result.offered;
        all.refused += client->result.refused;
        all.obeyed += client->result.obeyed;
        all.accepted_then += client->result.accepted_then;
        all.accepted.insert(all.accepted.end(), client->result.accepted.begin(),
                            client->result.accepted.end());
    }
    return all;
}

}  // namespace smsrack::bench
