#include "firmware-host/gate/smpp/smpp_report.hpp"

#include "firmware-host/gate/smpp/smpp_connection.hpp"
#include "src/base/time_text.hpp"
#include "src/wire/json_writer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <string_view>

namespace smsrack::gate {
namespace {

std::string_view kind_of(smpp::SessionState state) {
    constexpr std::array<std::string_view, 6> words{"open", "tx",        "rx",
                                                    "trx",  "unbinding", "closed"};
    return words.at(static_cast<std::size_t>(state));
}

void append_session(wire::JsonWriter& json, const SmppConnection& session) {
    json.object([&] {
        json.member("since", time_text(session.since()));
        json.member("address", session.address());
        json.member("tls", session.has_tls());
        json.member("bind", kind_of(session.session().state()));
        json.member("requests", session.requests());
        json.member("in_flight", session.session().owed());
        json.member("delivering", session.session().delivering());
        if (session.last_refusal() == smpp::Status::ok) {
            json.member_null("last_refusal");
            json.member_null("last_refusal_at");
        } else {
            json.member("last_refusal", smpp::status_name(session.last_refusal()));
            json.member("last_refusal_at", time_text(session.last_refusal_at()));
        }
    });
}

void append_account(wire::JsonWriter& json, const smpp::Account& account, const AccountDesk* desk) {
    json.object([&] {
        json.member("name", account.name);
        json.member("window", account.window);
        json.member("rate", desk == nullptr ? 0.0 : std::round(desk->rate() * 10) / 10);
        json.member("rate_max", account.rate);
        json.member("sessions_max", account.sessions);
        json.member("waiting", desk == nullptr ? 0 : desk->deliveries().waiting());
        json.member("delivered", desk == nullptr ? 0 : desk->deliveries().done());
        json.member("refused", desk == nullptr ? 0 : desk->deliveries().refused());
        json.member("throttled", desk == nullptr ? 0 : desk->counts().throttled);
        auto sessions =
            desk == nullptr ? std::vector<std::shared_ptr<SmppConnection>>() : desk->sessions();
        json.member("bound", sessions.size());
        sessions.resize(std::min(sessions.size(), listed_sessions_max));
        json.array("sessions", sessions,
                   [&](const auto& session) { append_session(json, *session); });
    });
}

void append_head(std::string& out, std::string_view name, std::string_view kind,
                 std::string_view help) {
    fmt::format_to(std::back_inserter(out),
                   "# HELP smsrack_smpp_{0} {1}\n# TYPE smsrack_smpp_{0} {2}\n", name, help, kind);
}

void append_line(std::string& out, std::string_view name, std::string_view account,
                 const auto& value) {
    fmt::format_to(std::back_inserter(out), "smsrack_smpp_{}{{account=\"{}\"}} {}\n", name, account,
                   value);
}

}  // namespace

std::vector<std::string> smpp_report(const std::vector<smpp::Account>& accounts,
                                     const Desks& desks) {
    constexpr std::size_t piece_max = 32UL * 1024;  // of 64 KiB that a body may have
    std::vector<std::string> pieces(1);
    for (const smpp::Account& account : accounts) {
        const auto desk = desks.find(account.name);
        std::string text;
        wire::JsonWriter json(text);
        append_account(json, account, desk == desks.end() ? nullptr : desk->second.get());
        if (pieces.back().size() + text.size() > piece_max && !pieces.back().empty()) {
            pieces.emplace_back();
        }
        pieces.back() += (pieces.back().empty() ? "" : ",") + text;
    }
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        pieces[i] = fmt::format(R"({{"first":{},"last":{},"accounts":[{}]}})", i == 0,
                                i + 1 == pieces.size(), pieces[i]);
    }
    return pieces;
}

std::string smpp_metrics(const Desks& desks) {
    std::string out;
    append_head(out, "sessions", "gauge", "Bound sessions.");
    for (const auto& [name, desk] : desks) {
        append_line(out, "sessions", name, desk->sessions().size());
    }
    append_head(out, "pdus_total", "counter",
                "Requests of clients, by the status of their answer.");
    for (const auto& [name, desk] : desks) {
        for (const auto& [what, times] : desk->counts().told) {
            fmt::format_to(std::back_inserter(out),
                           "smsrack_smpp_pdus_total{{account=\"{}\",command=\"{}\",status=\"{}\"}} "
                           "{}\n",
                           name, what.first, what.second, times);
        }
    }
    append_head(out, "submit_seconds", "summary",
                "Time from a message of a client to its answer, which comes after the commit.");
    for (const auto& [name, desk] : desks) {
        append_line(out, "submit_seconds_sum", name,
                    std::chrono::duration<double>(desk->counts().answer_time).count());
        append_line(out, "submit_seconds_count", name, desk->counts().answers);
    }
    append_head(out, "throttled_total", "counter", "Requests answered with ESME_RTHROTTLED.");
    for (const auto& [name, desk] : desks) {
        append_line(out, "throttled_total", name, desk->counts().throttled);
    }
    append_head(out, "deliveries_waiting", "gauge",
                "Receipts and received messages in memory that the account has not taken.");
    for (const auto& [name, desk] : desks) {
        append_line(out, "deliveries_waiting", name, desk->deliveries().waiting());
    }
    append_head(out, "deliveries_total", "counter", "Those that the account has taken.");
    for (const auto& [name, desk] : desks) {
        append_line(out, "deliveries_total", name, desk->deliveries().done());
    }
    return out;
}

}  // namespace smsrack::gate
