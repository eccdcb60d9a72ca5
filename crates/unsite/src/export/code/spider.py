

class SiteSpider(scrapy.Spider):
    """Reads every page it is given and follows links to pages of a known type on the same hosts, politely:

        scrapy runspider FILE -a start=https://... -O items.jsonl

    With `-a wrapper=site.unsite` pages are read by the package `unsite` instead: every table, and drift in the stats.
    """

    name = @NAME@
    custom_settings = {"ROBOTSTXT_OBEY": True, "DOWNLOAD_DELAY": 1, "FEED_EXPORT_ENCODING": "utf-8"}

    def __init__(self, start="", follow="yes", **arguments):
        super().__init__(**arguments)
        self.start_urls = start.split()
        if not self.start_urls:
            raise ValueError("where should it begin? scrapy runspider FILE -a start=https://...")
        self.allowed_domains = sorted({urlsplit(url).hostname or "" for url in self.start_urls})
        self.hosts = {urlsplit(url).netloc for url in self.start_urls}
        self.follow = follow != "no"

    reads_itself = True

    @classmethod
    def from_crawler(cls, crawler, *args, wrapper="", **arguments):
        spider = super().from_crawler(crawler, *args, **arguments)
        if wrapper:
            spider.reads_itself = False
            middlewares = {**crawler.settings.getdict("SPIDER_MIDDLEWARES"), "unsite.scrapy.UnsiteMiddleware": 900}
            crawler.settings.set("SPIDER_MIDDLEWARES", middlewares, "cmdline")
            crawler.settings.set("UNSITE_WRAPPER", wrapper, "cmdline")
        return spider

    def parse(self, response):
        item = extract(response.text, response.url) if self.reads_itself else None
        if item is not None:
            yield item
        if self.follow:
            for link in response.xpath("//a/@href").getall():
                url = absolute(link, base(response.selector.root, response.url)).split("#")[0]
                if url.startswith("http") and urlsplit(url).netloc in self.hosts and route(url):
                    yield response.follow(url, self.parse)
