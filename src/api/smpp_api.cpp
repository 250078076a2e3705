#include "src/api/calls.hpp"
#include "src/api/query.hpp"
#include "src/api/smpp_board.hpp"
#include "src/api/text.hpp"
#include "src/base/time_text.hpp"
#include "src/ports/store_reader.hpp"
#include "src/wire/json_writer.hpp"

#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::api {
namespace {

Error no_report() {
    return {.code = Errc::not_found,
            .context =
                "the gate reports no SMPP server: smsrack-gate does not run, or smsrack.toml "
                "has no [smpp]"};
}

/// What the store has of an account.
struct Kept {
    std::int64_t events = 0;
    std::int64_t refusals = 0;
};

/// Of each of them. One that has sent nothing is no client yet.
Result<std::vector<Kept>> kept_of(ports::StoreReader& reader,
                                  const std::vector<SmppBoard::Account>& accounts) {
    auto refused = reader.refused_messages();
    if (!refused) {
        return std::unexpected(std::move(refused.error()));
    }
    std::vector<Kept> kept;
    for (const SmppBoard::Account& account : accounts) {
        const auto client = reader.client(account.name);
        if (!client && client.error().code != Errc::not_found) {
            return std::unexpected(client.error());
        }
        kept.push_back(
            {.events = client ? client->buffered : 0, .refusals = (*refused)[account.name]});
    }
    return kept;
}

std::string with_kept(std::string_view account, const Kept& kept) {
    account.remove_suffix(1);  // it has a name, so a member of its own
    return fmt::format(R"({},"kept":{},"refused_by_rules":{}}})", account, kept.events,
                       kept.refusals);
}

}  // namespace

void list_smpp(Call call) {
    if (const auto known = check_params(call.request, {}); !known) {
        return answer_problem(call, known.error());
    }
    const auto report = call.smpp.report(call.parts.clock.steady());
    if (!report) {
        return answer_problem(call, no_report());
    }
    call.parts.store.ask(
        [accounts = report->accounts](ports::StoreReader& reader) {
            return kept_of(reader, accounts);
        },
        answer_on_loop<std::vector<Kept>>(call, [report = *report](const std::vector<Kept>& kept) {
            std::vector<std::string> accounts;
            for (std::size_t i = 0; i < kept.size(); ++i) {
                accounts.push_back(with_kept(report.accounts[i].json, kept[i]));
            }
            return wire::json_object([&](wire::JsonWriter& json) {
                json.member("reported_at", time_text(report.at));
                json.array("accounts", accounts,
                           [&](const std::string& account) { json.raw(account); });
            });
        }));
}

void unbind_smpp(Call call) {
    if (!call.smpp.report(call.parts.clock.steady())) {
        return answer_problem(call, no_report());
    }
    if (!call.smpp.has(call.argument)) {
        return answer_problem(call, {.code = Errc::not_found,
                                     .context = "no account of SMPP has this name: `smsrack smpp` "
                                                "lists them"});
    }
    call.smpp.ask_unbind(call.argument);
    answer_json(call, wire::json_object([&](wire::JsonWriter& json) {
                    json.member("unbinding", call.argument);
                }));
}

void post_smpp_report(Call call) {
    const auto taken =
        call.smpp.take(call.request.body, call.parts.clock.steady(), call.parts.clock.wall());
    if (!taken) {
        return answer_problem(call, taken.error());
    }
    const auto orders = call.smpp.take_orders();
    answer_json(call, wire::json_object([&](wire::JsonWriter& json) {
                    json.array("unbind", orders,
                               [&](const std::string& name) { json.value(name); });
                }));
}

}  // namespace smsrack::api
