#include "db/write/rack_rows.hpp"

#include "db/read/line_states.hpp"
#include "db/read/rack_series.hpp"
#include "db/write/self_sms.hpp"

#include <cmath>

namespace smsrack::db {
namespace {

constexpr std::int64_t decisions_max = 10'000;  // ten weeks of a decision each ten minutes
// last year's day, and a month around it
constexpr std::int64_t hours_max = std::int64_t{24} * 800;

std::int64_t milli(double value) {
    return std::llround(value * 1'000);
}

double from_milli(std::int64_t value) {
    return static_cast<double>(value) / 1'000;
}

}  // namespace

void apply(Writer& writer, const ports::KeepGate& command) {
    const auto& [line, blocked, at] = command;
    if (blocked) {
        writer.db.run("INSERT OR IGNORE INTO blocked_lines (name, since) VALUES (?, ?)",
                      std::string_view(line), at);
    } else {
        writer.db.run("DELETE FROM blocked_lines WHERE name = ?", std::string_view(line));
    }
}

void apply(Writer& writer, const ports::KeepDecision& command) {
    const ports::KeptDecision& d = command.decision;
    writer.db.run(
        "INSERT INTO scaling_decisions (at, n, x, y, rules, words, line, load, node_rate, "
        "forecast, samples, rule1, rule2, rule3, rule4, rule5, crashed) VALUES (?, ?, ?, ?, ?, ?, "
        "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        d.at, d.n, d.x, d.y, std::string_view(d.rules), std::string_view(d.words),
        std::string_view(d.line), milli(d.load), milli(d.node_rate), d.forecast.transform(milli),
        d.samples, d.counts[0], d.counts[1], d.counts[2], d.counts[3], d.counts[4], d.crashed);
    writer.db.run(
        "DELETE FROM scaling_decisions WHERE id <= (SELECT max(id) FROM scaling_decisions) - ?",
        decisions_max);
    (void)writer.ledger.append(
        {.at = d.at, .type = EventType::scaling_decision, .modem = d.line, .detail = d.words}, {});
}

void apply(Writer& writer, const ports::CountTraffic& command) {
    const ports::HourTraffic& traffic = command.traffic;
    writer.db.run(
        "INSERT INTO traffic (hour, accepted, sent) VALUES (?, ?, ?) ON CONFLICT (hour) DO UPDATE "
        "SET accepted = accepted + excluded.accepted, sent = sent + excluded.sent",
        traffic.hour, traffic.accepted, traffic.sent);
    writer.db.run("DELETE FROM traffic WHERE hour < ?", traffic.hour - hours_max);
}

void apply(Writer& writer, const ports::KeepEvent& command) {
    (void)writer.ledger.append(command.event, {});
}

Result<std::vector<ports::KeptDecision>> RackQueries::decisions(std::size_t limit) {
    const auto read = [](const Rows& row) {
        ports::KeptDecision d;
        std::int64_t load = 0;
        std::int64_t node_rate = 0;
        std::optional<std::int64_t> forecast;
        row.read(d.at, d.n, d.x, d.y, d.rules, d.words, d.line, load, node_rate, forecast,
                 d.samples, d.counts[0], d.counts[1], d.counts[2], d.counts[3], d.counts[4],
                 d.crashed);
        d.load = from_milli(load);
        d.node_rate = from_milli(node_rate);
        d.forecast = forecast.transform(from_milli);
        return d;
    };
    return guarded([&] {
        return db_.all(
            read,
            "SELECT at, n, x, y, rules, words, line, load, node_rate, forecast, samples, rule1, "
            "rule2, rule3, rule4, rule5, crashed FROM scaling_decisions ORDER BY id DESC LIMIT ?",
            limit);
    });
}

Result<std::vector<ports::HourTraffic>> RackQueries::traffic(std::int64_t first) {
    const auto read = [](const Rows& row) {
        ports::HourTraffic hour;
        row.read(hour.hour, hour.accepted, hour.sent);
        return hour;
    };
    return guarded([&] {
        return db_.all(
            read, "SELECT hour, accepted, sent FROM traffic WHERE hour >= ? ORDER BY hour", first);
    });
}

Result<std::vector<std::string>> RackQueries::blocked_lines() {
    return guarded(
        [&] { return db_.column<std::string>("SELECT name FROM blocked_lines ORDER BY name"); });
}

Result<std::vector<ports::SelfSmsSent>> RackQueries::self_sms_sent() {
    return guarded([&] { return read_self_sms_sent(db_); });
}

Result<std::vector<ports::HistorySeries>> RackQueries::history(
    const ports::HistoryQuestion& question) {
    return guarded([&] { return read_history(db_, question); });
}

Result<ports::FoundLineStates> RackQueries::line_states(const ports::LineStatesFilter& filter) {
    return guarded([&] { return read_line_states(db_, filter); });
}

}  // namespace smsrack::db
