#include "tests/days/seeds_lived.hpp"

#include "src/wire/json.hpp"

#include <fmt/format.h>
#include <stdexcept>
#include <string>

namespace smsrack::days {
namespace {

std::string head_of(std::uint64_t code, const DaysOptions& options) {
    return wire::Json{{"code", fmt::format("{:016x}", code)},
                      {"days", options.days},
                      {"messages", options.messages},
                      {"inbound", options.inbound},
                      {"faults", options.faults},
                      {"crashes", options.crashes},
                      {"scaling", options.scaling},
                      {"rule", options.rule}}
        .dump();
}

}  // namespace

SeedsLived::SeedsLived(const std::filesystem::path& path, std::uint64_t code,
                       const DaysOptions& options) {
    if (path.empty()) {
        return;
    }
    const std::string head = head_of(code, options);
    const std::uintmax_t whole = read(path, head);
    file_.exceptions(std::ios::failbit | std::ios::badbit);
    try {
        if (whole > 0) {
            std::filesystem::resize_file(path, whole);
        }
        file_.open(path, whole > 0 ? std::ios::app : std::ios::trunc);
        if (whole == 0) {
            file_ << head << std::endl;
        }
    } catch (const std::exception& error) {
        throw std::runtime_error(fmt::format("can't write {}: {}", path.native(), error.what()));
    }
}

std::uintmax_t SeedsLived::read(const std::filesystem::path& path, const std::string& head) {
    std::ifstream file(path);
    std::string line;
    if (!std::getline(file, line) || file.eof() || line != head) {
        return 0;
    }
    std::uintmax_t whole = line.size() + 1;
    while (std::getline(file, line) && !file.eof()) {
        try {
            const auto json = wire::Json::parse(line);
            lived_.emplace(json.at("seed").get<std::uint64_t>(),
                           DaysTotals::of(json.at("numbers").get<std::vector<std::uint64_t>>()));
        } catch (const std::exception&) {
            break;  // what a loss of power left
        }
        whole += line.size() + 1;
    }
    return whole;
}

std::optional<DaysTotals> SeedsLived::find(std::uint64_t seed) const {
    const auto found = lived_.find(seed);
    return found == lived_.end() ? std::nullopt : std::optional(found->second);
}

void SeedsLived::add(std::uint64_t seed, const DaysTotals& totals) {
    lived_.emplace(seed, totals);
    if (file_.is_open()) {
        file_ << wire::Json{{"seed", seed}, {"numbers", totals.numbers()}}.dump() << std::endl;
    }
}

}  // namespace smsrack::days
