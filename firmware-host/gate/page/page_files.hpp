/// The files of the dashboard's page, as tools/scripts/embed_page packs them.
#pragma once

#include <string_view>
#include <vector>

namespace smsrack::gate {

struct PageAsset {
    std::string_view name = {};  ///< has a hash of the content, so the content never changes
    std::string_view content_type = {};
    std::string_view gzip = {};
};

struct PageFiles {
    /// With "@base@" where the way to the folder of the page belongs. Empty: the gate was built without the page.
    std::string_view index = {};
    std::vector<PageAsset> assets = {};
};

[[nodiscard]] const PageFiles& page_files();

}  // namespace smsrack::gate
