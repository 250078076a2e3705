// Once per person and place: how many events a second, in how much memory, and how often wrong?
#include "tools/bench/dedup_parts.hpp"

#include <array>
#include <string_view>

namespace smsrack::bench {
namespace {

struct Part {
    std::string_view name;
    Result<> (*answer)(const Context&, const DedupWork&, Report&);
};

constexpr std::array parts{
    Part{"memory", dedup_memory},
    Part{"rebuild", dedup_rebuild},
    Part{"socket", dedup_socket},
};

bool is_asked(const Part& part, const Options& options) {
    return !options.part || *options.part == part.name;
}

DedupWork work_of(const Options& options) {
    DedupWork work = options.quick ? quick_work() : DedupWork{};
    work.events = options.messages.value_or(work.events);
    return work;
}

}  // namespace

Result<Report> dedup(const Context& context) {
    const DedupWork work = work_of(context.options);
    Report report{
        .question = "once per person and place: how fast, how small, how often wrong?",
        .conditions = {
            described(work),
            "events/s are those of one core: by the CPU time of the thread, in batches of 1,024"}};
    for (const Part& part : parts) {
        if (!is_asked(part, context.options)) {
            continue;
        }
        if (const auto answered = part.answer(context, work, report); !answered) {
            return std::unexpected(answered.error());
        }
        if (context.interrupt.came()) {
            return rig::called_off();
        }
    }
    return report;
}

}  // namespace smsrack::bench
