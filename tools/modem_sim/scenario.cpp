#include "tools/modem_sim/scenario.hpp"

#include "tools/modem_sim/control_commands.hpp"

#include <algorithm>
#include <cerrno>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

namespace smsrack::modem_sim {
namespace {

constexpr std::size_t steps_max = 100'000;
constexpr double t_max = 366.0 * 86'400;  // s

Result<ScenarioStep> parse_step(std::string_view line, std::size_t modems) {
    auto order = wire::parse_json(line);
    if (!order) {
        return std::unexpected(order.error());
    }
    if (!order->is_object() || !order->contains("t") || !order->at("t").is_number()) {
        return fail(Errc::bad_request, "expected an object with a number t");
    }
    const auto t = order->at("t").get<double>();
    if (t < 0 || t > t_max) {
        return fail(Errc::bad_request, "t is out of range");
    }
    order->erase("t");
    if (auto checked = check_order(modems, *order); !checked) {
        return std::unexpected(checked.error());
    }
    return ScenarioStep{
        .at = std::chrono::round<std::chrono::milliseconds>(std::chrono::duration<double>(t)),
        .order = std::move(*order)};
}

}  // namespace

Result<std::vector<ScenarioStep>> parse_scenario(std::string_view text, std::size_t modems) {
    std::vector<ScenarioStep> steps;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.empty() || line.starts_with('#')) {
            continue;
        }
        auto step = parse_step(line, modems);
        if (!step) {
            return fail(Errc::bad_request,
                        fmt::format("line {}: {}", number, step.error().context));
        }
        if (!steps.empty() && step->at < steps.back().at) {
            return fail(Errc::bad_request, fmt::format("line {}: t goes back", number));
        }
        if (steps.size() == steps_max) {
            return fail(Errc::bad_request, fmt::format("more than {} steps", steps_max));
        }
        steps.push_back(std::move(*step));
    }
    return steps;
}

Result<std::vector<ScenarioStep>> read_scenario(const std::filesystem::path& path,
                                                std::size_t modems) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        return fail(Errc::not_found, path.string(), errno);
    }
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    auto steps = parse_scenario(text, modems);
    if (!steps) {
        return fail(Errc::bad_request, path.string() + ": " + steps.error().context);
    }
    return steps;
}

}  // namespace smsrack::modem_sim
