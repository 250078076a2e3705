// `smsrack names KIND`, for completion: lists the names that the service knows, one per line. A
// completion has nowhere to say an error: where the service does not answer there are no names.
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/rack/service.hpp"
#include "tools/smsrack/screen/json_fields.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <set>
#include <string_view>

namespace smsrack::cli {
namespace {

/// Where the names of a kind are: member `name` of each object in the array `list`.
struct KindRow {
    std::string_view kind;
    const char* target;
    std::string_view list;
    std::string_view name;
};

constexpr std::array kinds{
    KindRow{"modem", "/v1/modems", "modems", "name"},
    KindRow{"group", "/v1/modems", "modems", "group"},
    KindRow{"batch", "/v1/batches?limit=200", "batches", "batch"},
    KindRow{"trigger", "/v1/triggers", "triggers", "name"},
    KindRow{"client", "/v1/clients?limit=200", "clients", "name"},
    KindRow{"webhook", "/v1/webhooks", "webhooks", "name"},
};

constexpr std::chrono::milliseconds patience{1'000};  // a person waits at the prompt

Outcome<> list_names(const std::string& kind, Context& context) {
    const auto row = std::ranges::find(kinds, kind, &KindRow::kind);
    if (row == kinds.end()) {
        return ExitCode::done;
    }
    const auto answer = Service(context.socket, -1, patience).get(row->target);
    if (!answer) {
        return ExitCode::done;
    }
    std::set<std::string> names;
    for (const wire::Json& object : array_of(*answer, row->list)) {
        names.insert(printable(text_of(object, row->name)));
    }
    names.erase("");
    for (const std::string& name : names) {
        context.console.write(name + "\n");
    }
    return ExitCode::done;
}

}  // namespace

void declare_names(const CommandGroup& program) {
    program
        .command({"names", "list what a word can be, for the completion"}, "kind",
                 "modem, group, batch, trigger, client or webhook", list_names)
        .group("");  // not in the help
}

}  // namespace smsrack::cli
