#include "src/overload/refusal.hpp"

#include <fmt/format.h>

namespace smsrack::overload {
namespace {

std::string reason(const Standing& standing, const Judgement& judgement) {
    switch (judgement.why) {
        case Why::no_line:
            return fmt::format("no modem could send for {:.0f} s", standing.no_line.count());
        case Why::slow:
            return fmt::format("recent messages took {:.1f} s",
                               standing.t_recent.value_or(Seconds::zero()).count());
        case Why::work_ahead:
        case Why::accepted:
            break;
    }
    const double lines = standing.lines + static_cast<double>(standing.later.size());
    return fmt::format(
        "{:.0f} segments are ahead, {:.1f} s for {:.0f} modem{} at {:.2f} segments/s",
        standing.ahead + standing.held, judgement.t_ahead.count(), lines, lines == 1 ? "" : "s",
        rate_left(standing));
}

}  // namespace

Error refusal(const std::string& group, Level level, const Standing& standing,
              const Judgement& judgement, std::chrono::milliseconds retry_after) {
    return {.code = Errc::overloaded,
            .context = fmt::format("group {}, level {}: {}; {:.1f} s are promised (sla_ms)", group,
                                   level, reason(standing, judgement), standing.t_max.count()),
            .retry_after = retry_after};
}

}  // namespace smsrack::overload
