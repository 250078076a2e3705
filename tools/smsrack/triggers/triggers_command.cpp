// `smsrack triggers`, `smsrack trigger show NAME` and `smsrack trigger rebuild NAME`.
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/rack/service.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/screen/json_fields.hpp"
#include "tools/smsrack/screen/progress_bar.hpp"
#include "tools/smsrack/screen/table.hpp"
#include "tools/smsrack/stop_signal.hpp"
#include "tools/smsrack/triggers/event_words.hpp"

#include <chrono>
#include <fmt/format.h>

namespace smsrack::cli {
namespace {

constexpr std::chrono::milliseconds look_again{200};

std::string octets_text(double octets) {
    return octets >= 1e6 ? fmt::format("{:.0f} MB", octets / 1e6)
                         : fmt::format("{:.0f} kB", octets / 1e3);
}

std::string false_hits_text(const wire::Json& object) {
    return fmt::format("{:.1e}", number_of(object, "fp_estimate").value_or(0));
}

std::string waiting_text(const wire::Json& trigger) {
    const std::string why = text_of(trigger, "waiting_for");
    const std::string waiting = text_of(trigger, "waiting");
    return why == "nothing" ? waiting : fmt::format("{} for {}", waiting, why);
}

std::string rebuild_text(const wire::Json& rebuild, const TimeStyle& times) {
    if (truth_of(rebuild, "running")) {
        const std::uint64_t expected = count_of(rebuild, "rows_expected");
        return fmt::format("running: {} rows{}{}", count_of(rebuild, "rows"),
                           expected == 0 ? "" : fmt::format(" of about {}", expected),
                           truth_of(rebuild, "first") ? "; until then the index answers" : "");
    }
    const std::string failure = text_of(rebuild, "failure");
    if (!failure.empty()) {
        return "failed: " + failure;
    }
    const std::string ended = text_of(rebuild, "ended_at");
    return ended.empty() ? "none yet"
                         : fmt::format("{}: {} rows in {:.1f} s, {} forgotten",
                                       times.to_seconds(ended), count_of(rebuild, "rows"),
                                       number_of(rebuild, "took_ms").value_or(0) / 1'000,
                                       count_of(rebuild, "forgotten"));
}

std::string events_cell(const wire::Json& trigger, const char* verdict) {
    return text_of(object_of(trigger, "events"), verdict);
}

/// Where the share differs by the tag of an event's user.
Table table_of_tags(const wire::Json& of_tags) {
    Table tags({{"TAG"},
                {"SHARE", Align::right},
                {"NEW", Align::right},
                {"SEEN", Align::right},
                {"OUTSIDE", Align::right},
                {"BAD", Align::right, 1}});
    for (const wire::Json& tag : of_tags) {
        const std::string name = text_of(tag, "tag");
        tags.add({name.empty() ? "(any other)" : name,
                  fmt::format("{:.4g} %", number_of(tag, "share").value_or(0) * 100),
                  events_cell(tag, "new"), events_cell(tag, "seen"), events_cell(tag, "outside"),
                  events_cell(tag, "bad")});
    }
    return tags;
}

std::string target_of_trigger(const std::string& name) {
    return "/v1/triggers/" + client::percent_encoded(name);
}

std::string words_of_triggers(const wire::Json& answer, const Context& context) {
    Table table({{"TRIGGER"},
                 {"NEW", Align::right},
                 {"SEEN", Align::right},
                 {"REFUSED", Align::right},
                 {"BAD", Align::right},
                 {"WAITING", Align::left, 0, Fit::wraps},
                 {"TOPICS", Align::right, 2},
                 {"PAIRS", Align::right, 1},
                 {"FALSE HITS", Align::right, 3}});
    for (const wire::Json& trigger : array_of(answer, "triggers")) {
        table.add(
            {text_of(trigger, "name"), events_cell(trigger, "new"), events_cell(trigger, "seen"),
             events_cell(trigger, "refused"), events_cell(trigger, "bad"), waiting_text(trigger),
             text_of(trigger, "topic_count"), text_of(trigger, "keys"), false_hits_text(trigger)});
    }
    std::string text = table.text(context.console,
                                  "No trigger is configured; see [[trigger]] in smsrack.toml(5).");
    if (!table.empty()) {
        text +=
            "\n" +
            pairs_text(
                {{"filters", octets_text(number_of(answer, "filter_octets").value_or(0))},
                 {"cache", fmt::format("{}, {} pairs",
                                       octets_text(number_of(answer, "cache_octets").value_or(0)),
                                       count_of(answer, "cache_pairs"))},
                 {"rebuild", rebuild_text(object_of(answer, "rebuild"), context.times)}},
                context.console);
    }
    return text;
}

Outcome<> list_triggers(Context& context) {
    return report(Service(context.socket).get("/v1/triggers"), context,
                  [&](const wire::Json& answer) { return words_of_triggers(answer, context); });
}

std::string words_of_trigger(const wire::Json& answer, const Context& context) {
    const wire::Json& events = object_of(answer, "events");
    std::string text = pairs_text(
        {{"events", event_words(events)},
         {"decided by", fmt::format("{} by the cache, {} by the index; {} false hits",
                                    text_of(answer, "by_cache"), text_of(answer, "by_index"),
                                    text_of(answer, "false_hits"))},
         {"waiting", waiting_text(answer)},
         {"messages ahead", text_of(answer, "ahead") + " segments"},
         {"batch", text_of(answer, "batch")},
         {"verify", truth_of(answer, "verify") ? "a hit is looked up in the exact index"
                                               : "the filter alone decides"},
         {"rebuild", rebuild_text(object_of(answer, "rebuild"), context.times)}},
        context.console);
    if (const wire::Json& of_tags = array_of(answer, "tags"); !of_tags.empty()) {
        text += "\n" + table_of_tags(of_tags).text(context.console, "");
    }
    Table topics({{"TOPIC"},
                  {"PAIRS", Align::right},
                  {"BITS", Align::right, 2},
                  {"FILL", Align::right, 1},
                  {"FALSE HITS", Align::right, 3},
                  {"FILTERS", Align::right, 4},
                  {"NEW", Align::right},
                  {"SEEN", Align::right}});
    for (const wire::Json& topic : array_of(answer, "topics")) {
        topics.add({text_of(topic, "topic"), text_of(topic, "keys"), text_of(topic, "bits"),
                    fmt::format("{:.0f} %", number_of(topic, "fill").value_or(0) * 100),
                    false_hits_text(topic), text_of(topic, "generations"), text_of(topic, "new"),
                    text_of(topic, "seen")});
    }
    text += "\n" + topics.text(context.console, "No topic was seen yet.");
    for (const wire::Json& bad : array_of(answer, "samples")) {
        text += fmt::format("line {} of its feed: {}\n", text_of(bad, "line"),
                            printable(text_of(bad, "why")));
    }
    return text;
}

Outcome<> show_trigger(const std::string& name, Context& context) {
    return report(Service(context.socket).get(target_of_trigger(name)), context,
                  [&](const wire::Json& answer) { return words_of_trigger(answer, context); });
}

/// Until it has ended, with progress; Ctrl-C ends the looking alone.
Outcome<> rebuild_trigger(const std::string& name, Context& context) {
    const StopSignal stop;
    Service service(context.socket, stop.fd());
    auto begun = service.call({.method = "POST", .target = target_of_trigger(name) + "/rebuild"});
    if (!begun) {
        return std::unexpected(begun.error());
    }
    wire::Json rebuild = std::move(*begun);
    ProgressBar bar(context.console, count_of(rebuild, "rows_expected"));
    while (truth_of(rebuild, "running")) {
        bar.show(count_of(rebuild, "rows"), fmt::format("{} rows", count_of(rebuild, "rows")));
        if (stop.wait_for(look_again)) {
            return failure(ExitCode::failed, "interrupted; the service continues the rebuild");
        }
        const auto next = service.get(target_of_trigger(name));
        if (!next) {
            return std::unexpected(next.error());
        }
        rebuild = object_of(*next, "rebuild");
    }
    context.console.end_progress();
    if (!text_of(rebuild, "failure").empty()) {
        return failure(ExitCode::failed, "the rebuild " + rebuild_text(rebuild, context.times));
    }
    return report(rebuild, "rebuilt " + rebuild_text(rebuild, context.times) + "\n", context);
}

}  // namespace

void declare_triggers(const CommandGroup& program) {
    program.command({"triggers", "list triggers (one message per number and topic)", {"triggers"}},
                    list_triggers);
    const CommandGroup trigger = program.group("trigger", "one trigger");
    trigger.command({"show", "show its counts, and each topic's filter", {"trigger show welcome"}},
                    "name", "the trigger", show_trigger);
    declare_trigger_feed(trigger);
    declare_trigger_trace(trigger);
    trigger.command({"rebuild",
                     "rebuild its filters from the index, with progress",
                     {"trigger rebuild welcome"}},
                    "name", "the trigger", rebuild_trigger);
}

}  // namespace smsrack::cli
