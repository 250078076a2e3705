#include "tools/rig/sim_log.hpp"

#include "src/wire/json.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

namespace smsrack::rig {
namespace {

using std::chrono::microseconds;

SimSubmit submit_of(const wire::Json& line, SteadyTime at) {
    return {.at = at,
            .modem = line.at("modem"),
            .to = line.at("to"),
            .pdu_octets = line.at("pdu").get_ref<const std::string&>().size() / 2,
            .service = microseconds(line.at("service_us").get<std::int64_t>()),
            .command_gap = microseconds(line.at("command_gap_us").get<std::int64_t>()),
            .answer_late = microseconds(line.at("answer_late_us").get<std::int64_t>()),
            .entry_gap = microseconds(line.at("entry_gap_us").get<std::int64_t>()),
            .prompt_late = microseconds(line.at("prompt_late_us").get<std::int64_t>())};
}

/// Throws where a member is missing or of another type.
void take_line(SimLog& log, std::optional<SteadyTime>& start, const wire::Json& line) {
    const std::string event = line.at("event");
    if (event == "start") {
        start = SteadyTime(microseconds(line.at("steady_us").get<std::int64_t>()));
    }
    if (!start) {
        return;
    }
    const SteadyTime at = *start + std::chrono::duration_cast<std::chrono::nanoseconds>(
                                       std::chrono::duration<double>(line.at("t").get<double>()));
    if (event == "submit") {
        log.submits.push_back(submit_of(line, at));
    } else if (event == "report") {
        log.reports.push_back({.at = at, .to = line.at("to")});
    } else if (event == "fault") {
        ++log.faults[line.at("fault")];
    } else if (event == "inbound_given" ||
               (event == "inbound" && (line.at("how") == "stored" || line.at("how") == "direct"))) {
        const std::uint64_t id = line.at("id");
        if (std::ranges::find(log.received, id, &SimInbound::id) == log.received.end()) {
            log.received.push_back({.at = at, .modem = line.at("modem"), .id = id});
        }
    }
}

}  // namespace

Result<SimLog> parse_sim_log(std::string_view text) {
    SimLog log;
    std::optional<SteadyTime> start;
    int number = 0;
    for (auto end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
        ++number;
        const auto line = wire::parse_json(text.substr(0, end));
        try {
            if (!line) {
                return fail(Errc::protocol, fmt::format("smsrack-sim's log, line {}", number));
            }
            take_line(log, start, *line);
        } catch (const wire::Json::exception& error) {
            return fail(Errc::protocol,
                        fmt::format("smsrack-sim's log, line {}: {}", number, error.what()));
        }
        text.remove_prefix(end + 1);
    }
    return log;
}

Result<SimLog> read_sim_log(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) {
        return fail(Errc::not_found, path.string());
    }
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    return parse_sim_log(text);
}

double steady_rate(const std::vector<SimSubmit>& submits, SteadyTime from, SteadyTime to) {
    struct Line {
        SteadyTime first = {};
        SteadyTime last = {};
        std::size_t count = 0;
    };
    std::map<unsigned, Line> lines;
    for (const SimSubmit& submit : submits) {
        if (submit.at >= from && submit.at < to) {
            Line& line = lines.try_emplace(submit.modem, Line{.first = submit.at}).first->second;
            line.last = submit.at;
            ++line.count;
        }
    }
    double rate = 0;
    for (const auto& [modem, line] : lines) {
        if (line.count > 1) {
            rate += static_cast<double>(line.count - 1) /
                    std::chrono::duration<double>(line.last - line.first).count();
        }
    }
    return rate;
}

std::map<unsigned, double> line_rates(const std::vector<SimSubmit>& submits, SteadyTime from,
                                      SteadyTime to) {
    using Seconds = std::chrono::duration<double>;
    std::map<unsigned, SteadyTime> last;
    std::map<unsigned, double> messages;
    for (const SimSubmit& submit : submits) {
        const auto [before, first] = last.try_emplace(submit.modem, submit.at);
        double& sum = messages.try_emplace(submit.modem, 0.0).first->second;
        if (!first && submit.at > before->second) {
            const Seconds within = std::min(submit.at, to) - std::max(before->second, from);
            sum += std::max(within.count(), 0.0) / Seconds(submit.at - before->second).count();
        }
        before->second = submit.at;
    }
    for (auto& [modem, sum] : messages) {
        sum /= Seconds(to - from).count();
    }
    return messages;
}

}  // namespace smsrack::rig
