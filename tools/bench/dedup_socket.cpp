// The same through the socket: NDJSON in, verdicts out, with the service and this client on the same cores.
#include "src/wire/json.hpp"
#include "tools/bench/dedup_index.hpp"
#include "tools/bench/dedup_parts.hpp"
#include "tools/bench/health_probe.hpp"
#include "tools/client/http_client.hpp"
#include "tools/rig/rack.hpp"
#include "tools/rig/usage.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <unistd.h>

namespace smsrack::bench {
namespace {

using std::chrono::steady_clock;

constexpr const char* trigger = "bench";
constexpr double bound_rate = 70'000;
constexpr double aim_rate = 200'000;
constexpr double bound_pause_ms = 50;
constexpr std::uint64_t quick_numbers = 100'000;
constexpr std::size_t piece_octets = std::size_t{64} * 1024;

/// Lines of events; fast, since the client has the same cores.
class EventText {
public:
    explicit EventText(const DedupWork& work) {
        for (std::uint32_t topic = 0; topic < work.topics; ++topic) {
            ends_.push_back(fmt::format("\",\"topic\":\"{}\"}}\n", topic_name(topic)));
        }
    }
    void append(std::string& out, const dedup::PairKey& pair) const {
        std::array<char, 24> digits;
        const auto end =
            std::to_chars(digits.data(), digits.data() + digits.size(), pair.number).ptr;
        out += "{\"number\":\"+";
        out.append(digits.data(), end);
        out += ends_[pair.topic];
    }

private:
    std::vector<std::string> ends_;
};

struct Fed {
    double seconds = 0;
    double longest_gap_ms = 0;  ///< in which the service took nothing
    wire::Json answer = {};
    std::uint64_t repeats = 0;  ///< drawn of the pairs that are in the index
    std::uint64_t absent = 0;   ///< drawn of the others, each once
    [[nodiscard]] std::uint64_t of(const char* verdict) const {
        return answer.value(verdict, std::uint64_t{0});
    }
};

/// Events of `make` until it gives none.
Result<Fed> feed(const Context& context, const rig::Rack& rack, const EventText& text,
                 const std::function<bool(std::vector<dedup::PairKey>&)>& make) {
    client::HttpClient client(rack.socket().string(), {.idle_timeout = std::chrono::minutes(10),
                                                       .stop_fd = context.interrupt.fd()});
    Fed fed;
    std::string answer;
    std::vector<dedup::PairKey> batch;
    const auto begun = steady_clock::now();
    auto last = begun;
    const auto source = [&]() -> std::optional<std::string> {
        const auto now = steady_clock::now();
        fed.longest_gap_ms = std::max(
            fed.longest_gap_ms, std::chrono::duration<double, std::milli>(now - last).count());
        last = now;
        std::string piece;
        piece.reserve(piece_octets + 16UL * 1024);
        while (piece.size() < piece_octets) {
            batch.resize(128);
            if (!make(batch)) {
                break;
            }
            for (const dedup::PairKey& pair : batch) {
                text.append(piece, pair);
            }
        }
        return piece;
    };
    const auto reply =
        client.stream({.method = "POST", .target = fmt::format("/v1/triggers/{}/events", trigger)},
                      source, [&answer](std::string_view piece) {
                          answer += piece;
                          return true;
                      });
    if (!reply) {
        return std::unexpected(reply.error());
    }
    fed.seconds = std::chrono::duration<double>(steady_clock::now() - begun).count();
    auto json = wire::parse_json(answer);
    if (!reply->ok() || !json) {
        return fail(Errc::protocol, fmt::format("feed: status {}", reply->status()));
    }
    fed.answer = *std::move(json);
    return fed;
}

Result<> wait_for_rebuild(const Context& context, const rig::Rack& rack) {
    for (;;) {
        const auto look = rack.get("/v1/triggers");
        if (!look) {
            return std::unexpected(look.error());
        }
        const wire::Json& rebuild = look->at("rebuild");
        if (!rebuild.at("running").get<bool>() && rebuild.at("ended_at").is_string()) {
            return {};
        }
        if (context.interrupt.came()) {
            return rig::called_off();
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
}

/// The service with a full index, its filters built.
Result<std::unique_ptr<rig::Rack>> filled_rack(const Context& context, const DedupWork& work) {
    const auto folder = context.folder / "socket";
    std::filesystem::create_directories(folder);
    const auto topics = context.folder / "topics.csv";
    std::ofstream csv(topics);
    for (std::uint32_t topic = 0; topic < work.topics; ++topic) {
        csv << topic_name(topic) << ",\n";
    }
    csv.close();
    auto rack = rig::Rack::open(
        folder,
        {.modems = 2,
         .sim_options = {"--service-ms", "100", "--report-ms", "-1"},
         .config = fmt::format("[queue]\ncapacity = 10_000_000\n[priority]\nprotect = false\n"
                               "[[trigger]]\nname = \"{}\"\ntemplate = \"Welcome to {{topic}}!\"\n"
                               "topics = {{ file = \"{}\" }}\ncapacity = {}\nbatch_s = 0\n",
                               trigger, topics.string(), work.numbers)},
        context.interrupt);
    if (!rack) {
        return rack;
    }
    if (auto made = (*rack)->launch_service(); !made) {  // makes database and topics
        return std::unexpected(made.error());
    }
    if (auto known = wait_for_rebuild(context, **rack); !known) {
        return std::unexpected(known.error());
    }
    (*rack)->stop_service();
    if (auto filled = fill_index(folder / "state" / "smsrack.db", trigger, work); !filled) {
        return std::unexpected(filled.error());
    }
    if (auto started = (*rack)->start_service(); !started) {
        return std::unexpected(started.error());
    }
    if (auto built = wait_for_rebuild(context, **rack); !built) {
        return std::unexpected(built.error());
    }
    return rack;
}

void add(Report& report, const char* name, double value, const char* unit, int decimals,
         Goal goal = {}) {
    report.figures.push_back({.name = fmt::format("socket: {}", name),
                              .value = value,
                              .unit = unit,
                              .decimals = decimals,
                              .goal = goal});
}

/// A service that does not know the pairs of the index makes messages instead of verdicts: then nothing that was measured counts.
Result<> check_premise(const Fed& fed) {
    if (fed.of("seen") == fed.repeats && fed.of("new") == fed.absent) {
        return {};
    }
    return fail(Errc::protocol,
                fmt::format("feed: of {} repeats and {} new pairs the service took {} for seen and "
                            "{} for new; what is measured this way says nothing",
                            fed.repeats, fed.absent, fed.of("seen"), fed.of("new")));
}

/// This many random events, `repeats` of them of pairs that are there.
Result<Fed> feed_random(const Context& context, const rig::Rack& rack, DedupWork work,
                        std::uint64_t events, double repeats, std::uint64_t seed) {
    work.repeats = repeats;
    DedupEvents made(work, seed);
    std::uint64_t left = events;
    std::uint64_t absent = 0;
    // New pairs must be new: each feed has its own.
    const auto make = [&](std::vector<dedup::PairKey>& batch) {
        batch.resize(static_cast<std::size_t>(std::min<std::uint64_t>(batch.size(), left)));
        left -= batch.size();
        made.fill(batch);
        for (dedup::PairKey& pair : batch) {
            if (pair.number >= work.absent(0).number) {
                pair.number += seed * 1'000'000'000ULL;
                ++absent;
            }
        }
        return !batch.empty();
    };
    auto fed = feed(context, rack, EventText(work), make);
    if (fed) {
        fed->absent = absent;
        fed->repeats = events - absent;
    }
    return fed;
}

std::string by_thread(const rig::Usage& used) {
    std::string text;
    for (const auto& [thread, seconds] : used.threads) {
        if (seconds >= 0.01) {  // a tick of the kernel's clock
            text += fmt::format("{}{} {:.2f} s", text.empty() ? "" : ", ", thread, seconds);
        }
    }
    return text;
}

Result<> ask_rates(const Context& context, const rig::Rack& rack, const DedupWork& work,
                   Report& report) {
    for (const double repeats : {1.0, work.repeats}) {
        const auto before = rig::usage_of(rack.service_pid());
        const HealthProbe probe(rack.socket().string());
        const auto fed =
            feed_random(context, rack, work, work.events, repeats, repeats == 1.0 ? 11 : 12);
        if (!fed) {
            return std::unexpected(fed.error());
        }
        if (auto good = check_premise(*fed); !good) {
            return good;
        }
        const auto after = rig::usage_of(rack.service_pid());
        const bool all = repeats == 1.0;
        add(report, all ? "events, all of them repeats" : "events, the mixture",
            static_cast<double>(work.events) / fed->seconds, "/s", 0,
            all ? Goal{} : at_least(bound_rate, aim_rate));
        add(report,
            all ? "longest /healthz beside the repeats" : "longest /healthz beside the mixture",
            probe.longest_ms(), "ms", 1, at_most(bound_pause_ms));
        report.broken = report.broken || probe.failed();
        if (!all) {
            add(report, "new in the mixture", static_cast<double>(fed->of("new")), "", 0);
        }
        if (before && after) {
            const rig::Usage used = *after - *before;
            report.notes.push_back(fmt::format(
                "socket, {:.0f} % repeats: smsrackd {:.2f} cores of {}, {:.0f} events "
                "a second of its CPU time ({})",
                repeats * 100, used.cpu.total() / fed->seconds, std::thread::hardware_concurrency(),
                static_cast<double>(work.events) / used.cpu.total(), by_thread(used)));
        }
    }
    return {};
}

/// A rebuild in the middle of repeats: a seen pair stays seen, and nothing stops.
Result<> ask_rebuild(const Context& context, const rig::Rack& rack, const DedupWork& work,
                     Report& report) {
    const auto calm = feed_random(context, rack, work, work.events, 1.0, 13);
    if (!calm) {
        return std::unexpected(calm.error());
    }
    if (auto good = check_premise(*calm); !good) {
        return good;
    }
    client::HttpClient client(rack.socket().string(), {});
    const auto order =
        client.call({.method = "POST", .target = fmt::format("/v1/triggers/{}/rebuild", trigger)});
    if (!order || order->status() != 202) {
        return fail(Errc::protocol, "the rebuild was refused");
    }
    double longest = 0;
    std::uint64_t wrong = 0;
    std::uint64_t feeds = 0;
    bool running = true;
    for (; running; ++feeds) {
        const auto fed = feed_random(context, rack, work, work.events / 10 + 1, 1.0, 14 + feeds);
        const auto look = rack.get("/v1/triggers");
        if (!fed || !look) {
            return std::unexpected(fed ? look.error() : fed.error());
        }
        longest = std::max(longest, fed->longest_gap_ms);
        wrong += work.events / 10 + 1 - fed->of("seen");
        running = look->at("rebuild").at("running").get<bool>();
    }
    const auto look = rack.get("/v1/triggers");
    add(report, "longest pause without a rebuild", calm->longest_gap_ms, "ms", 1);
    add(report, "longest pause during one", longest, "ms", 1, at_most(bound_pause_ms));
    add(report, "other verdicts during one", static_cast<double>(wrong), "", 0, at_most(0));
    if (look) {
        add(report, "rebuild beside the feed",
            look->at("rebuild").at("took_ms").get<double>() / 1'000, "s", 1);
    }
    return {};
}

void add_memory(Report& report, const rig::Rack& rack, std::string_view when) {
    const auto now = rig::memory_of(rack.service_pid());
    const auto peak = rig::peak_memory_of(rack.service_pid());
    if (now && peak) {
        add(report, fmt::format("memory of the service, {}", when).c_str(),
            static_cast<double>(now->rss) / 1e6, "MB", 0);
        add(report, fmt::format("the most until then, {}", when).c_str(),
            static_cast<double>(*peak) / 1e6, "MB", 0);
    }
}

}  // namespace

Result<> dedup_socket(const Context& context, const DedupWork& whole, Report& report) {
    DedupWork work = whole;
    if (context.options.quick) {
        work.numbers = quick_numbers;
    }
    const auto rack = filled_rack(context, work);
    if (!rack) {
        return std::unexpected(rack.error());
    }
    add_memory(report, **rack, "loaded");
    if (auto rates = ask_rates(context, **rack, work, report); !rates) {
        return rates;
    }
    add_memory(report, **rack, "fed");
    auto rebuilt = ask_rebuild(context, **rack, work, report);
    add_memory(report, **rack, "rebuilt");
    return rebuilt;
}

}  // namespace smsrack::bench
