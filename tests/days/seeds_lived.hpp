/// The record file of seeds that ran without a violation: an interrupted search of hours continues
/// where it was.
///
/// The first line of JSON names the code and the days, then there is one line for each seed. A file
/// of other code, or of other days, is started again.
/// Threads: one.
/// Errors:  std::runtime_error where the file can't be written.
#pragma once

#include "tests/days/rack_days.hpp"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>

namespace smsrack::days {

class SeedsLived {
public:
    /// `code`: a hash of the sources (tools/scripts/code_hash). Without a path nothing is kept.
    SeedsLived(const std::filesystem::path& path, std::uint64_t code, const DaysOptions& options);

    /// Its totals, if it was run before.
    [[nodiscard]] std::optional<DaysTotals> find(std::uint64_t seed) const;
    [[nodiscard]] std::size_t size() const { return lived_.size(); }
    /// Survives the end of the process; a loss of power may take the last lines.
    void add(std::uint64_t seed, const DaysTotals& totals);

private:
    /// The place behind the last line that counts; 0: none does.
    std::uintmax_t read(const std::filesystem::path& path, const std::string& head);

    std::map<std::uint64_t, DaysTotals> lived_;
    std::ofstream file_;
};

}  // namespace smsrack::days
