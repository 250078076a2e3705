#include "src/api/calls.hpp"
#include "src/api/page.hpp"
#include "src/api/query.hpp"
#include "src/base/time_text.hpp"
#include "src/ports/box_view.hpp"

#include <array>
#include <fmt/format.h>

namespace smsrack::api {
namespace {

constexpr std::array<std::string_view, 5> log_level_names{"error", "warn", "info", "debug",
                                                          "trace"};

template <typename T>
void octets_or_null(wire::JsonWriter& json, std::string_view name, const std::optional<T>& value) {
    if (value) {
        json.member(name, *value);
    } else {
        json.member_null(name);
    }
}

void append_firmware(wire::JsonWriter& json, const ports::BoxFacts& facts) {
    if (facts.slots.empty()) {
        return json.member_null("slots");
    }
    json.objects("slots", facts.slots, [&](const ports::BoxSlot& slot) {
        json.member("slot", slot.name);
        member_or_null(json, "version", valid_text(slot.version));
        json.member("booted", slot.booted);
    });
}

std::int64_t seconds_of(std::chrono::nanoseconds time) {
    return std::chrono::duration_cast<std::chrono::seconds>(time).count();
}

std::string box_text(const Call& call, const ports::BoxFacts& facts) {
    return wire::json_object([&](wire::JsonWriter& json) {
        json.member("version", call.settings.version);
        json.member("schema", facts.schema);
        append_firmware(json, facts);
        json.object("disk", [&] {
            json.member("folder", valid_text(facts.state_dir));
            octets_or_null(json, "free_bytes",
                           facts.disk.transform([](const auto& room) { return room.free; }));
            octets_or_null(json, "total_bytes",
                           facts.disk.transform([](const auto& room) { return room.whole; }));
        });
        json.object("clock", [&] {
            json.member("now", time_text(call.parts.clock.wall()));
            json.member("believed", !facts.clock_waits);
        });
        json.member("uptime_s", seconds_of(call.parts.clock.steady() - call.started_at));
        json.member("machine_uptime_s", facts.up.count());
        json.object("memory", [&] {
            octets_or_null(json, "total_bytes", facts.memory_total);
            octets_or_null(json, "available_bytes", facts.memory_available);
            octets_or_null(json, "service_bytes", facts.memory_own);
        });
    });
}

/// Null, and answered: this program is no service on a machine.
const ports::BoxView* box_of(const Call& call) {
    if (call.parts.box == nullptr) {
        answer_problem(call, {.code = Errc::not_found, .context = "there is no machine"});
    }
    return call.parts.box;
}

}  // namespace

void get_box(Call call) {
    if (const auto known = check_params(call.request, {}); !known) {
        return answer_problem(call, known.error());
    }
    if (const ports::BoxView* const box = box_of(call)) {
        answer_json(call, box_text(call, box->facts()));
    }
}

void get_config(Call call) {
    if (const auto known = check_params(call.request, {}); !known) {
        return answer_problem(call, known.error());
    }
    if (const ports::BoxView* const box = box_of(call)) {
        answer_json(call, wire::json_object([&](wire::JsonWriter& json) {
                        json.member("file", valid_text(box->configuration_file()));
                        json.member("toml", valid_text(box->configuration()));
                    }));
    }
}

void list_log(Call call) {
    const auto page = page_params(call.request, {"limit", "cursor"});
    if (!page) {
        return answer_problem(call, page.error());
    }
    const ports::BoxView* const box = box_of(call);
    if (box == nullptr) {
        return;
    }
    answer_json(call, page_text(
                          "log",
                          Result<std::vector<ports::KeptLine>>(box->log(
                              static_cast<std::uint64_t>(page->after_id), page->limit + 1)),
                          {page->limit},
                          [](wire::JsonWriter& json, const ports::KeptLine& line) {
                              json.member("id", fmt::to_string(line.number));
                              json.member("at", time_text(line.at));
                              json.member("level",
                                          log_level_names.at(static_cast<std::size_t>(line.level)));
                              json.member("event", valid_text(line.event));
                              json.member("fields", valid_text(line.fields));
                          },
                          [](const ports::KeptLine& line) { return fmt::to_string(line.number); }));
}

}  // namespace smsrack::api
